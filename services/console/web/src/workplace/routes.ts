import { workspacePage } from '../routing/root-routes.tsx'

/** Numbers of weeks that figures are of. */
const weeks = ['4', '12', '26', '52'] as const

/** The pages of buildings, teams, scenarios, daily plans, and of the files that they are counted from. */
export const workplaceRoutes = [
  workspacePage('buildings', () => import('./buildings/buildings-page.tsx'), 'BuildingsPage', {
    cursor: 'text',
    search: 'text',
    kind: ['site', 'building', 'floor', 'zone', 'room'],
  }),
  workspacePage('buildings/$spaceId', () => import('./buildings/building-page.tsx'), 'BuildingPage', { weeks }),
  workspacePage('teams', () => import('./teams/teams-page.tsx'), 'TeamsPage', { cursor: 'text', search: 'text' }),
  workspacePage('teams/$teamId', () => import('./teams/team-page.tsx'), 'TeamPage', { weeks }),
  workspacePage('scenarios', () => import('./scenarios/scenarios-page.tsx'), 'ScenariosPage', {
    cursor: 'text',
    name: 'text',
  }),
  workspacePage('scenarios/new', () => import('./scenarios/new-scenario-page.tsx'), 'NewScenarioPage', {
    space: 'text',
    forecast: 'text',
    from: 'text',
  }),
  workspacePage('scenarios/$scenarioId', () => import('./scenarios/scenario-page.tsx'), 'ScenarioPage', {
    compare: 'text',
  }),
  workspacePage('plans', () => import('./plans/plans-page.tsx'), 'PlansPage', {
    cursor: 'text',
    space: 'text',
    scenario: 'text',
  }),
  workspacePage('plans/$planId', () => import('./plans/plan-page.tsx'), 'PlanPage'),
  workspacePage('datasets/new', () => import('./datasets/new-dataset-page.tsx'), 'NewDatasetPage', {
    source: 'text',
    kind: ['spaces', 'people', 'badge_events', 'attendance_days', 'bookings', 'counts'],
  }),
  workspacePage('datasets/$datasetId', () => import('./datasets/dataset-page.tsx'), 'DatasetPage', {
    cursor: 'text',
    next: ['show'],
  }),
] as const
