import { workspacePage } from '../routing/root-routes.tsx'
import { readGroups, readRange } from './forecasts/groups.ts'

/** The pages of forecasts and recommendations. */
export const solutionRoutes = [
  workspacePage('forecasts', () => import('./forecasts-page.tsx'), 'ForecastsPage', {
    status: ['queued', 'running', 'finished', 'failed', 'cancelled'],
    source: 'text',
    q: 'text',
    cursor: 'text',
    order: ['name'],
  }),
  workspacePage('forecasts/new', () => import('./forecasts/new/new-forecast-page.tsx'), 'NewForecastPage', {
    source: 'text',
    from: 'text',
    time: 'text',
    hour: 'text',
    value: 'text',
    group: 'texts',
    more: 'texts',
    measure: ['level', 'flow'],
    what: ['building', 'teams'],
    space: 'text',
    team: 'text',
    aggregation: ['max', 'count'],
  }),
  workspacePage('forecasts/$runId', () => import('./forecasts/run/forecast-page.tsx'), 'ForecastPage', {
    groups: readGroups,
    view: ['overlay'],
    detail: 'text',
    range: readRange,
  }),
  workspacePage('recommendations', () => import('./recommendations/recommendations-page.tsx'), 'RecommendationsPage', {
    status: ['open', 'accepted', 'dismissed', 'all'],
    kind: ['consolidation', 'capacity_alert', 'service_level', 'underused_weekday'],
    run: 'text',
    cursor: 'text',
  }),
] as const
