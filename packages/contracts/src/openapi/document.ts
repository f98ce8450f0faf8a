import type { EndpointDefinition } from '../core/endpoint/endpoint.ts'
import { scopeDescriptions } from '../core/endpoint/scope.ts'
import { publicEndpoints, type SurfaceName, surfaceSummaries } from '../surfaces.ts'
import { operationOf } from './operation.ts'
import { createComponents } from './schema/components.ts'
import type { Json } from './schema/json.ts'
import { webhooksOf } from './webhooks.ts'

/** An address at which the API is served. */
export interface ApiServer {
  url: string
  description?: string
}

/** The endpoints that the document describes: all public ones but the pages that browsers show. */
export const documentedEndpoints = publicEndpoints.filter(
  ({ definition: { response = 'json' } }) => !['html', 'html-or-redirect'].includes(response),
)

/**
 * Generates the OpenAPI 3.1 document of the public API from the contracts. Its schemas are the JSON Schema (2020-12) of
 * the shapes by which requests and responses are validated.
 * @param base the public base address
 * @param servers every address of the API; default: the public base address
 */
export function openApiDocument(base: string, version: string, servers: readonly ApiServer[] = [{ url: base }]): Json {
  const components = createComponents()
  const paths: Record<string, Json> = {}
  const tags = new Set<SurfaceName>()
  for (const { definition, surface } of documentedEndpoints) {
    tags.add(surface)
    const path = paths[definition.path] ?? {}
    path[definition.method.toLowerCase()] = operationOf(definition, surface, hasPrecondition(definition), components)
    paths[definition.path] = path
  }
  return components.complete({
    openapi: '3.1.0',
    info: {
      title: 'Workspace platform',
      version,
      description,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers,
    tags: [...tags].map((name) => ({ name, description: surfaceSummaries[name] })),
    security: [],
    paths,
    webhooks: webhooksOf(components),
    components: { securitySchemes: securitySchemes(base) },
  })
}

const description = [
  'Connect data, search it, forecast office occupancy, and receive signed webhooks.',
  'Successful responses are JSON: `success`, `data` and, for lists, `pagination`. Errors are problem documents (RFC 9457) with a stable `code`. Clients must tolerate fields and values of enumerations (`x-extensible-enum`) that they do not know.',
  'A request may name its `x-request-id` (8 to 128 letters, digits, `.`, `_` or `-`); every response has one.',
].join('\n\n')

/** Returns true if an endpoint accepts `If-Match`: it changes a resource that another endpoint reads. */
function hasPrecondition({ method, path, resourceIdField }: EndpointDefinition): boolean {
  if (method !== 'PATCH' && method !== 'DELETE') return false
  const readPath = resourceIdField === undefined ? path : `${path}/{${resourceIdField}}`
  return publicEndpoints.some(
    ({ definition }) => definition.method === 'GET' && definition.path === readPath && definition.ok !== undefined,
  )
}

const securitySchemes = (base: string): Json => ({
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token of the token endpoint' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key of a workspace' },
  basic: { type: 'http', scheme: 'basic', description: 'Client id and secret of a service principal' },
  oauth2: {
    type: 'oauth2',
    description: 'Obtains an access token, which is sent as a bearer token',
    flows: {
      clientCredentials: { tokenUrl: `${base}/v1/auth/token`, scopes: scopeDescriptions },
      authorizationCode: {
        authorizationUrl: `${base}/v1/auth/authorize`,
        tokenUrl: `${base}/v1/auth/token`,
        refreshUrl: `${base}/v1/auth/token`,
        scopes: scopeDescriptions,
      },
    },
  },
})
