import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'
import { auditOutcomes, exportStates } from './states.ts'

type Search = Record<string, unknown>

export const auditRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'audit',
    validateSearch: (search: Search) => ({
      ...readText(search, 'actor', 'action', 'target', 'since', 'until', 'cursor'),
      ...readOneOf(search, 'outcome', auditOutcomes),
    }),
    component: lazyRouteComponent(() => import('./logs-page.tsx'), 'LogsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'audit/verify',
    component: lazyRouteComponent(() => import('./verify/verify-page.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'audit/exports',
    validateSearch: (search: Search) => ({
      ...readText(search, 'cursor', 'actor', 'action', 'target', 'since', 'until'),
      ...readOneOf(search, 'outcome', auditOutcomes),
      ...readOneOf(search, 'status', exportStates),
      ...readFlag(search, 'create'),
    }),
    component: lazyRouteComponent(() => import('./exports/exports-page.tsx'), 'ExportsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'audit/exports/$docId',
    component: lazyRouteComponent(() => import('./exports/export-page.tsx'), 'ExportPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'audit/$logId',
    component: lazyRouteComponent(() => import('./log-page.tsx'), 'LogPage'),
  }),
] as const
