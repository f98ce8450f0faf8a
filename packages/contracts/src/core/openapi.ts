import { z } from 'zod'
import { publicEndpoints, type SurfaceName, surfaceSummaries } from '../surfaces.ts'
import { acceptedCredentials, type EndpointDefinition, needsWorkspace, successStatusesOf } from './endpoint.ts'
import { type ErrorCode, errors } from './error.ts'
import { type Json, problemSchema, schemaOf } from './openapi-schema.ts'

const statusOf = { ok: 200, created: 201, accepted: 202 } as const

/**
 * The OpenAPI 3.1 document of the public interface, generated from the contracts: its schemas are the JSON Schema
 * (2020-12) of the very shapes that requests and answers are checked with.
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
      description: 'Connect data, run agents over it, forecast how offices fill, and be told by signed webhooks.',
      license: { name: 'Proprietary', url: `${base}/docs` },
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
    responses: { ...successes(definition, schemas), ...failures(definition) },
  }
}

const descriptionOf = ({ description, scope }: EndpointDefinition) =>
  [description, scope === undefined ? undefined : `Needs the scope \`${scope}\`.`]
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
    ...(isObjectSchema(schema) ? { style: 'deepObject', explode: true } : {}),
  }))
  const workspaceKey = {
    name: 'x-workspace-key',
    in: 'header',
    required: false,
    description: 'Forces a workspace; needed where the credential embeds none',
    schema: { type: 'string' },
  }
  return [...path, ...query, ...(needsWorkspace(definition) ? [workspaceKey] : [])]
}

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

function successes(definition: EndpointDefinition, schemas: Json): Json {
  if (definition.browser === true)
    return {
      200: { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } },
      [definition.method === 'GET' ? 302 : 303]: { description: 'The way on', headers: { Location: locationHeader } },
    }
  if (definition.list !== undefined)
    return answer(200, 'One page', {
      type: 'object',
      required: ['success', 'data', 'pagination', ...(definition.meta ? ['meta'] : [])],
      properties: {
        success: { const: true },
        data: { type: 'array', items: schemaOf(definition.list, 'output', schemas) },
        pagination: {
          type: 'object',
          required: ['next_cursor', 'has_more'],
          properties: { next_cursor: { type: ['string', 'null'] }, has_more: { type: 'boolean' } },
        },
        ...(definition.meta && { meta: schemaOf(definition.meta, 'output', schemas) }),
      },
    })
  if (definition.bare !== undefined)
    return answer(200, definition.summary, schemaOf(definition.bare, 'output', schemas))
  if (definition.deleted !== undefined)
    return answer(
      200,
      'Deleted',
      envelope({
        type: 'object',
        required: [definition.deleted, 'deleted'],
        properties: { [definition.deleted]: { type: 'string' }, deleted: { const: true } },
      }),
    )
  return Object.assign(
    {},
    ...successStatusesOf(definition).map((outcome) => {
      const schema = definition[outcome]
      return answer(
        statusOf[outcome],
        definition.summary,
        envelope(schema === undefined ? {} : schemaOf(schema, 'output', schemas)),
      )
    }),
  )
}

function failures(definition: EndpointDefinition): Json {
  const byStatus = Map.groupBy(codesOf(definition), (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

/** What every endpoint of its kind can answer, beside what it declares. */
function codesOf(definition: EndpointDefinition): ErrorCode[] {
  const open = definition.credentials === 'none'
  const usual: ErrorCode[] = ['validation_failed', 'internal_error', 'service_unavailable']
  if (!open) usual.push('invalid_credential', 'rate_limited')
  if (definition.scope !== undefined) usual.push('missing_scope')
  if (definition.params !== undefined) usual.push('not_found')
  return [...new Set([...usual, ...(definition.errors ?? [])])].sort((a, b) => errors[a].status - errors[b].status)
}

const answer = (status: number, description: string, schema: unknown): Json => ({
  [status]: { description, content: { 'application/json': { schema } } },
})

const locationHeader = { description: 'Where to go on', schema: { type: 'string', format: 'uri' } }

const envelope = (data: unknown) => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { const: true }, data },
})

const sorted = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b, 'en')))
