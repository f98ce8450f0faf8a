import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'

type Search = Record<string, unknown>

export const developerRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'developer',
    validateSearch: (search: Search) => ({
      ...readText(search, 'cursor'),
      ...readOneOf(search, 'status', ['active', 'disabled']),
      ...readOneOf(search, 'environment', ['production', 'sandbox', 'development']),
      ...readFlag(search, 'create'),
    }),
    component: lazyRouteComponent(
      () => import('./service-principals/service-principals-page.tsx'),
      'ServicePrincipalsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'developer/service-principals/$clientId',
    component: lazyRouteComponent(
      () => import('./service-principals/service-principal-page.tsx'),
      'ServicePrincipalPage',
    ),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'developer/keys',
    validateSearch: (search: Search) => ({ ...readText(search, 'cursor'), ...readFlag(search, 'create') }),
    component: lazyRouteComponent(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'developer/keys/$keyId',
    component: lazyRouteComponent(() => import('./api-keys/api-key-page.tsx'), 'ApiKeyPage'),
  }),
] as const
