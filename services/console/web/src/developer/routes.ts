import { lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'

export const developerRoutes = [
  workspacePage(
    'developer',
    lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'KeysPage'),
    (search) => ({
      ...readText(search, 'q'),
      ...readOneOf(search, 'create', ['key', 'principal']),
      // an address of earlier releases
      ...(search.create === true ? { create: 'principal' as const } : {}),
    }),
  ),
  workspacePage(
    'developer/service-principals/$clientId',
    lazyRouteComponent(() => import('./service-principals/service-principal-page.tsx'), 'ServicePrincipalPage'),
  ),
  workspacePage(
    'developer/keys',
    lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'FormerKeysPage'),
    (search) => readFlag(search, 'create'),
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
