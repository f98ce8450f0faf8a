import { lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'
import { invoiceStatuses, usageDimensions, usageMeters, usageRanges, usageSteps } from './choices.ts'

export const usageRoutes = [
  workspacePage(
    'usage',
    lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
    (search) => ({
      ...readOneOf(search, 'meter', usageMeters),
      ...readOneOf(search, 'range', usageRanges),
      ...readOneOf(search, 'step', usageSteps),
      ...readOneOf(search, 'by', usageDimensions),
    }),
  ),
  workspacePage(
    'usage/plan',
    lazyRouteComponent(() => import('./plan/plan-page.tsx'), 'PlanPage'),
    (search) => readText(search, 'change'),
  ),
  workspacePage(
    'usage/invoices',
    lazyRouteComponent(() => import('./invoices/invoices-page.tsx'), 'InvoicesPage'),
    (search) => ({
      ...readText(search, 'cursor'),
      ...readOneOf(search, 'status', invoiceStatuses),
    }),
  ),
  workspacePage(
    'usage/invoices/$invoiceId',
    lazyRouteComponent(() => import('./invoices/invoice-page.tsx'), 'InvoicePage'),
  ),
] as const
