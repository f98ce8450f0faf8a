import { lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'

export const developerRoutes = [
  workspacePage(
    'developer',
    lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'KeysPage'),
    (search) => ({
      ...readText(search, 'q'),
      ...readOneOf(search, 'create', ['key', 'principal']),
    }),
  ),
  workspacePage(
    'developer/service-principals/$clientId',
    lazyRouteComponent(() => import('./service-principals/service-principal-page.tsx'), 'ServicePrincipalPage'),
  ),
  workspacePage(
    'developer/keys/$keyId',
    lazyRouteComponent(() => import('./api-keys/api-key-page.tsx'), 'ApiKeyPage'),
  ),
  workspacePage(
    'developer/requests',
    lazyRouteComponent(() => import('./requests/requests-page.tsx'), 'RequestsPage'),
    (search) => ({
      ...readText(search, 'cursor', 'q', 'caller', 'look'),
      ...readOneOf(search, 'by', ['users', 'all']),
      ...readOneOf(search, 'status', ['2xx', '4xx', '5xx']),
      ...readOneOf(search, 'method', ['GET', 'POST', 'PATCH', 'DELETE']),
    }),
  ),
] as const
