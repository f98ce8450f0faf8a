import { lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'
import { integrationProviders, integrationStates } from './queries.ts'

export const integrationRoutes = [
  workspacePage(
    'integrations',
    lazyRouteComponent(() => import('./integrations-page.tsx'), 'IntegrationsPage'),
    (search) => ({
      ...readText(search, 'cursor', 'search'),
      ...readOneOf(search, 'provider', integrationProviders),
      ...readOneOf(search, 'status', integrationStates),
    }),
  ),
  workspacePage(
    'integrations/new',
    lazyRouteComponent(() => import('./new-integration-page.tsx'), 'NewIntegrationPage'),
    (search) => readOneOf(search, 'provider', integrationProviders),
  ),
  workspacePage(
    'integrations/$integrationId',
    lazyRouteComponent(() => import('./integration-page.tsx'), 'IntegrationPage'),
  ),
] as const
