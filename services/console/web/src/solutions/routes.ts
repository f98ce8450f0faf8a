import { lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText, readTexts } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'
import { readGroups, readRange } from './forecasts/groups.ts'

/** The pages of forecasts and recommendations. */
export const solutionRoutes = [
  workspacePage(
    'forecasts',
    lazyRouteComponent(() => import('./forecasts/forecasts-page.tsx'), 'ForecastsPage'),
    (search) => ({
      ...readOneOf(search, 'status', ['queued', 'running', 'finished', 'failed', 'cancelled']),
      ...readText(search, 'source', 'q', 'cursor'),
      ...readOneOf(search, 'order', ['name']),
    }),
  ),
  workspacePage(
    'forecasts/new',
    lazyRouteComponent(() => import('./forecasts/new/new-forecast-page.tsx'), 'NewForecastPage'),
    (search) => ({
      ...readText(search, 'source', 'from', 'time', 'hour', 'value', 'group'),
      ...readTexts(search, 'more'),
      ...readOneOf(search, 'measure', ['level', 'flow']),
      ...readOneOf(search, 'what', ['building', 'teams']),
      ...readText(search, 'space', 'team'),
      ...readOneOf(search, 'aggregation', ['max', 'count']),
    }),
  ),
  workspacePage(
    'forecasts/$runId',
    lazyRouteComponent(() => import('./forecasts/run/forecast-page.tsx'), 'ForecastPage'),
    (search) => ({
      ...readGroups(search),
      ...readOneOf(search, 'view', ['overlay']),
      ...readText(search, 'detail'),
      ...readRange(search),
    }),
  ),
  workspacePage(
    'recommendations',
    lazyRouteComponent(() => import('./recommendations/recommendations-page.tsx'), 'RecommendationsPage'),
    (search) => ({
      ...readOneOf(search, 'status', ['open', 'accepted', 'dismissed', 'all']),
      ...readOneOf(search, 'kind', ['consolidation', 'capacity_alert', 'service_level', 'underused_weekday']),
      ...readText(search, 'run', 'cursor'),
    }),
  ),
] as const
