import { lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'

export const developerRoutes = [
  workspacePage(
    'developer',
    lazyRouteComponent(() => import('./service-principals/service-principals-page.tsx'), 'ServicePrincipalsPage'),
    (search) => ({
      ...readText(search, 'cursor'),
      ...readOneOf(search, 'status', ['active', 'disabled']),
      ...readOneOf(search, 'environment', ['production', 'sandbox', 'development']),
      ...readFlag(search, 'create'),
    }),
  ),
  workspacePage(
    'developer/service-principals/$clientId',
    lazyRouteComponent(() => import('./service-principals/service-principal-page.tsx'), 'ServicePrincipalPage'),
  ),
  workspacePage(
    'developer/keys',
    lazyRouteComponent(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
    (search) => ({ ...readText(search, 'cursor'), ...readFlag(search, 'create') }),
  ),
  workspacePage(
    'developer/keys/$keyId',
    lazyRouteComponent(() => import('./api-keys/api-key-page.tsx'), 'ApiKeyPage'),
  ),
] as const
