import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'
import { integrationProviders, integrationStates } from './integration-words.ts'

export const integrationRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'integrations',
    validateSearch: (search) => ({
      ...readText(search, 'cursor'),
      ...readOneOf(search, 'provider', integrationProviders),
      ...readOneOf(search, 'status', integrationStates),
    }),
    component: lazyRouteComponent(() => import('./integrations-page.tsx'), 'IntegrationsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'integrations/new',
    validateSearch: (search) => readOneOf(search, 'provider', integrationProviders),
    component: lazyRouteComponent(() => import('./new-integration-page.tsx'), 'NewIntegrationPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'integrations/$integrationId',
    component: lazyRouteComponent(() => import('./integration-page.tsx'), 'IntegrationPage'),
  }),
] as const
