import { lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'

/** Reads the weeks that figures are of. */
function readWeeks(search: Record<string, unknown>) {
  const { weeks } = readText(search, 'weeks')
  return readOneOf({ weeks }, 'weeks', ['4', '12', '26', '52'])
}

/** The pages of buildings, teams, scenarios, daily plans, and of the files that they are counted from. */
export const workplaceRoutes = [
  workspacePage(
    'buildings',
    lazyRouteComponent(() => import('./buildings/buildings-page.tsx'), 'BuildingsPage'),
    (search) => ({
      ...readText(search, 'cursor', 'search'),
      ...readOneOf(search, 'kind', ['site', 'building', 'floor', 'zone', 'room']),
    }),
  ),
  workspacePage(
    'buildings/$spaceId',
    lazyRouteComponent(() => import('./buildings/building-page.tsx'), 'BuildingPage'),
    readWeeks,
  ),
  workspacePage(
    'teams',
    lazyRouteComponent(() => import('./teams/teams-page.tsx'), 'TeamsPage'),
    (search) => readText(search, 'cursor', 'search'),
  ),
  workspacePage(
    'teams/$teamId',
    lazyRouteComponent(() => import('./teams/team-page.tsx'), 'TeamPage'),
    readWeeks,
  ),
  workspacePage(
    'scenarios',
    lazyRouteComponent(() => import('./scenarios/scenarios-page.tsx'), 'ScenariosPage'),
    (search) => readText(search, 'cursor', 'name'),
  ),
  workspacePage(
    'scenarios/new',
    lazyRouteComponent(() => import('./scenarios/new-scenario-page.tsx'), 'NewScenarioPage'),
    (search) => readText(search, 'space', 'forecast', 'from'),
  ),
  workspacePage(
    'scenarios/$scenarioId',
    lazyRouteComponent(() => import('./scenarios/scenario-page.tsx'), 'ScenarioPage'),
    (search) => readText(search, 'compare'),
  ),
  workspacePage(
    'plans',
    lazyRouteComponent(() => import('./plans/plans-page.tsx'), 'PlansPage'),
    (search) => readText(search, 'cursor', 'space', 'scenario'),
  ),
  workspacePage(
    'plans/$planId',
    lazyRouteComponent(() => import('./plans/plan-page.tsx'), 'PlanPage'),
  ),
  workspacePage(
    'datasets/new',
    lazyRouteComponent(() => import('./datasets/new-dataset-page.tsx'), 'NewDatasetPage'),
    (search) => ({
      ...readText(search, 'source'),
      ...readOneOf(search, 'kind', ['spaces', 'people', 'badge_events', 'attendance_days', 'bookings', 'counts']),
    }),
  ),
  workspacePage(
    'datasets/$datasetId',
    lazyRouteComponent(() => import('./datasets/dataset-page.tsx'), 'DatasetPage'),
    (search) => ({ ...readText(search, 'cursor'), ...readOneOf(search, 'next', ['show']) }),
  ),
] as const
