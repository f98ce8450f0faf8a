import { z } from 'zod'
import { scimMediaType } from '../auth/directory/scim-protocol.ts'
import { acceptedCredentials, type EndpointDefinition } from '../core/endpoint/endpoint.ts'
import { scopeDescriptions } from '../core/endpoint/scope.ts'
import { publicEndpoints, type SurfaceName, surfaceSummaries } from '../surfaces.ts'
import { exampleOf, withExample } from './examples/examples.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { type Components, createComponents } from './schema/components.ts'
import { type Json, pascalCase } from './schema/json.ts'
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

/** Returns the operation object of an endpoint. @param hasPrecondition true if it accepts `If-Match` */
function operationOf(
  definition: EndpointDefinition,
  tag: string,
  hasPrecondition: boolean,
  components: Components,
): Json {
  const { id, summary, scope } = definition
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(definition),
    security: securityOf(definition),
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    parameters: parametersOf(definition, hasPrecondition, components),
    ...requestBodyOf(definition, components),
    responses: responsesOf(definition, hasPrecondition, components),
  }
}

const descriptionOf = ({ summary, description, scope }: EndpointDefinition) =>
  [description ?? `${summary}.`, scope === undefined ? undefined : `Requires the scope \`${scope}\`.`]
    .filter((part) => part !== undefined)
    .join('\n\n')

/** Clients authenticate at the token endpoints by HTTP Basic or in the body; public clients do not. */
function securityOf(definition: EndpointDefinition): Json[] {
  const { limitClass, input, scope } = definition
  if (limitClass === 'token' && input === 'form') return [{ basic: [] }, {}]
  const credentials = acceptedCredentials(definition)
  return [
    ...credentials.map((kind) => ({ [kind]: [] })),
    ...(scope !== undefined && credentials.includes('bearer') ? [{ oauth2: [scope] }] : []),
  ]
}

function requestBodyOf(definition: EndpointDefinition, components: Components): Json {
  const { id, input, body, contentTypes = [], documentedBody = body, protocol } = definition
  if (input === 'stream') {
    const json = documentedBody === undefined ? {} : components.schemaOf(documentedBody, 'input')
    const content = contentTypes.map((type) => [
      type,
      { schema: type === 'application/json' ? json : { type: 'string' } },
    ])
    return {
      requestBody: { required: true, content: withExample(Object.fromEntries(content), exampleOf(id)?.request) },
    }
  }
  if (body === undefined || documentedBody === undefined) return {}
  const own = components.schemaOf(documentedBody, 'input') as Json // the schema of an object
  const schema = '$ref' in own ? own : components.addSchema(`${pascalCase(id)}Request`, own, 'input')
  const content: Json = { 'application/json': { schema } }
  if (protocol === 'scim') content[scimMediaType] = { schema }
  if (input === 'form') content['application/x-www-form-urlencoded'] = { schema }
  return {
    requestBody: { required: !z.safeParse(body, {}).success, content: withExample(content, exampleOf(id)?.request) },
  }
}
