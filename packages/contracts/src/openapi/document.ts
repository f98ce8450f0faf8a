import { z } from 'zod'
import { acceptedCredentials, type EndpointDefinition, needsWorkspace } from '../core/endpoint.ts'
import { publicEndpoints, type SurfaceName, surfaceSummaries } from '../surfaces.ts'
import { responsesOf } from './responses.ts'
import { type Json, problemSchema, schemaOf } from './schema.ts'

/**
 * Generates the OpenAPI 3.1 document of the public API from the contracts. Its schemas are the JSON Schema (2020-12) of
 * the shapes by which requests and responses are validated.
 * @param base the public base address
 */
export function openApiDocument(base: string, version: string): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  const tags = new Set<SurfaceName>()
  for (const { definition, surface } of publicEndpoints) {
    tags.add(surface)
    const path = paths[definition.path] ?? {}
    path[definition.method.toLowerCase()] = operationOf(definition, surface, schemas)
    paths[definition.path] = path
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace platform',
      version,
      description: 'Connect data, search it, forecast office occupancy, and receive signed webhooks.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base }],
    tags: [...tags].map((name) => ({ name, description: surfaceSummaries[name] })),
    security: [],
    paths,
    components: {
      schemas: { ...sorted(schemas), Problem: problemSchema },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  }
}

function operationOf(definition: EndpointDefinition, tag: string, schemas: Json): Json {
  const credentials = acceptedCredentials(definition)
  return {
    operationId: definition.id,
    tags: [tag],
    summary: definition.summary,
    ...(definition.description === undefined && definition.scope === undefined
      ? {}
      : { description: descriptionOf(definition) }),
    security: credentials.map((kind) => ({ [kind]: [] })),
    ...(definition.scope === undefined ? {} : { 'x-required-scope': definition.scope }),
    parameters: parametersOf(definition, schemas),
    ...requestBodyOf(definition, schemas),
    responses: responsesOf(definition, schemas),
  }
}

const descriptionOf = ({ description, scope }: EndpointDefinition) =>
  [description, scope === undefined ? undefined : `Requires the scope \`${scope}\`.`]
    .filter((part) => part !== undefined)
    .join('\n\n')

function parametersOf(definition: EndpointDefinition, schemas: Json): Json[] {
  const path = fieldsOf(definition.params, schemas).map(({ name, schema }) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }))
  const query = fieldsOf(definition.query, schemas).map(({ name, schema, required }) => ({
    name,
    in: 'query',
    required,
    schema,
    ...(isDeprecated(schema) ? { deprecated: true } : {}),
    ...(isObjectSchema(schema) ? { style: 'deepObject', explode: true } : {}),
  }))
  const workspaceKey = {
    name: 'x-workspace-key',
    in: 'header',
    required: false,
    description: 'Selects the workspace; required if the credential has none',
    schema: { type: 'string' },
  }
  return [...path, ...query, ...(needsWorkspace(definition) ? [workspaceKey] : [])]
}

const isDeprecated = (schema: unknown) =>
  typeof schema === 'object' && schema !== null && 'deprecated' in schema && schema.deprecated === true

const isObjectSchema = (schema: unknown) =>
  typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object'

function fieldsOf(
  object: z.ZodObject | undefined,
  schemas: Json,
): { name: string; schema: unknown; required: boolean }[] {
  if (object === undefined) return []
  return Object.entries(object.shape).map(([name, field]) => ({
    name,
    schema: schemaOf(field, 'input', schemas),
    required: !z.safeParse(field, undefined).success,
  }))
}

function requestBodyOf(definition: EndpointDefinition, schemas: Json): Json {
  if (definition.input === 'stream') {
    const content = (definition.contentTypes ?? []).map((type) => [
      type,
      { schema: type === 'application/json' ? {} : { type: 'string' } },
    ])
    return { requestBody: { required: true, content: Object.fromEntries(content) } }
  }
  if (definition.body === undefined) return {}
  const schema = schemaOf(definition.body, 'input', schemas)
  const content: Json = { 'application/json': { schema } }
  if (definition.input === 'form') content['application/x-www-form-urlencoded'] = { schema }
  return { requestBody: { required: !z.safeParse(definition.body, {}).success, content } }
}

const sorted = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b, 'en')))
