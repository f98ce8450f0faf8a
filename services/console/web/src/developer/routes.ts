import { workspacePage } from '../routing/root-routes.tsx'

/** The pages of keys, of the request log, and of the variables that programs read. */
export const developerRoutes = [
  workspacePage('developer', () => import('./keys/keys-page.tsx'), 'KeysPage', {
    q: 'text',
    create: ['key', 'principal'],
  }),
  workspacePage(
    'developer/service-principals/$clientId',
    () => import('./service-principals/service-principal-page.tsx'),
    'ServicePrincipalPage',
  ),
  workspacePage('developer/mcp', () => import('./mcp-page.tsx'), 'McpPage'),
  workspacePage('developer/keys/$keyId', () => import('./api-keys/api-key-page.tsx'), 'ApiKeyPage'),
  workspacePage('developer/requests', () => import('./requests/requests-page.tsx'), 'RequestsPage', {
    cursor: 'text',
    q: 'text',
    caller: 'text',
    look: 'text',
    by: ['users', 'all'],
    status: ['2xx', '4xx', '5xx'],
    method: ['GET', 'POST', 'PATCH', 'DELETE'],
  }),
  workspacePage('variables', () => import('../variables/variables-page.tsx'), 'VariablesPage', {
    cursor: 'text',
    search: 'text',
    kind: ['plain', 'secret'],
    create: 'flag',
  }),
  workspacePage('variables/$name', () => import('../variables/variable-page.tsx'), 'VariablePage', { cursor: 'text' }),
] as const
