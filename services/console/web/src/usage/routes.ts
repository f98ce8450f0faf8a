import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'
import { invoiceStatuses, usageDimensions, usageMeters, usageRanges, usageSteps } from './choices.ts'

type Search = Record<string, unknown>

export const usageRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'usage',
    validateSearch: (search: Search) => ({
      ...readOneOf(search, 'meter', usageMeters),
      ...readOneOf(search, 'range', usageRanges),
      ...readOneOf(search, 'step', usageSteps),
      ...readOneOf(search, 'by', usageDimensions),
    }),
    component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'usage/plan',
    validateSearch: (search: Search) => readText(search, 'change'),
    component: lazyRouteComponent(() => import('./plan/plan-page.tsx'), 'PlanPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'usage/invoices',
    validateSearch: (search: Search) => ({
      ...readText(search, 'cursor'),
      ...readOneOf(search, 'status', invoiceStatuses),
    }),
    component: lazyRouteComponent(() => import('./invoices/invoices-page.tsx'), 'InvoicesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'usage/invoices/$invoiceId',
    component: lazyRouteComponent(() => import('./invoices/invoice-page.tsx'), 'InvoicePage'),
  }),
] as const
