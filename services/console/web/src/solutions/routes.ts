import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText, readTexts } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'
import { readGroups } from './forecasts/read-groups.ts'

type Search = Record<string, unknown>

/** The pages of forecasts and recommendations. */
export const solutionRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'forecasts',
    validateSearch: (search: Search) => ({
      ...readOneOf(search, 'status', ['queued', 'running', 'finished', 'failed', 'cancelled']),
      ...readText(search, 'source', 'cursor'),
    }),
    component: lazyRouteComponent(() => import('./forecasts/forecasts-page.tsx'), 'ForecastsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'forecasts/new',
    validateSearch: (search: Search) => ({
      ...readText(search, 'source', 'from', 'time', 'hour', 'value', 'group'),
      ...readTexts(search, 'more'),
      ...readOneOf(search, 'measure', ['level', 'flow']),
      ...readOneOf(search, 'aggregation', ['max', 'count']),
    }),
    component: lazyRouteComponent(() => import('./forecasts/new/new-forecast-page.tsx'), 'NewForecastPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'forecasts/$runId',
    validateSearch: (search: Search) => ({
      ...readGroups(search),
      ...readOneOf(search, 'view', ['overlay']),
      ...readText(search, 'detail'),
    }),
    component: lazyRouteComponent(() => import('./forecasts/run/forecast-page.tsx'), 'ForecastPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'recommendations',
    validateSearch: (search: Search) => ({
      ...readOneOf(search, 'status', ['open', 'accepted', 'dismissed', 'all']),
      ...readOneOf(search, 'kind', ['consolidation', 'capacity_alert', 'service_level', 'underused_weekday']),
      ...readText(search, 'run', 'cursor'),
    }),
    component: lazyRouteComponent(() => import('./recommendations/recommendations-page.tsx'), 'RecommendationsPage'),
  }),
] as const
