import { lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'
import { auditOutcomes, exportStates } from './audit-words.ts'

export const auditRoutes = [
  workspacePage(
    'audit',
    lazyRouteComponent(() => import('./logs-page.tsx'), 'LogsPage'),
    (search) => ({
      ...readText(search, 'actor', 'action', 'target', 'since', 'until', 'cursor'),
      ...readOneOf(search, 'outcome', auditOutcomes),
    }),
  ),
  workspacePage(
    'audit/verify',
    lazyRouteComponent(() => import('./verify/verify-page.tsx'), 'VerifyPage'),
  ),
  workspacePage(
    'audit/exports',
    lazyRouteComponent(() => import('./exports/exports-page.tsx'), 'ExportsPage'),
    (search) => ({
      ...readText(search, 'cursor', 'actor', 'action', 'target', 'since', 'until'),
      ...readOneOf(search, 'outcome', auditOutcomes),
      ...readOneOf(search, 'status', exportStates),
      ...readFlag(search, 'create'),
    }),
  ),
  workspacePage(
    'audit/exports/$docId',
    lazyRouteComponent(() => import('./exports/export-page.tsx'), 'ExportPage'),
  ),
  workspacePage(
    'audit/$logId',
    lazyRouteComponent(() => import('./log-page.tsx'), 'LogPage'),
  ),
] as const
