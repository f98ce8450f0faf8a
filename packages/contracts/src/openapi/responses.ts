import { isCallLimited } from '../billing/meter-limit.ts'
import { type EndpointDefinition, rejectsDownscopedTokens, successStatusesOf } from '../core/endpoint.ts'
import { type ErrorCode, errors } from '../core/error.ts'
import { successStatuses } from '../core/response.ts'
import { type Json, schemaOf } from './schema.ts'

/** Returns the responses of an operation by status. Shapes with an id are added to `schemas`. */
export const responsesOf = (definition: EndpointDefinition, schemas: Json): Json => ({
  ...successResponses(definition, schemas),
  ...errorResponses(definition),
})

function successResponses(definition: EndpointDefinition, schemas: Json): Json {
  switch (definition.response ?? 'json') {
    case 'html':
      return htmlResponse
    case 'redirect':
      return redirectResponse(definition)
    case 'html-or-redirect':
      return { ...htmlResponse, ...redirectResponse(definition) }
    case 'events':
      return eventsResponse(definition, schemas)
    case 'file':
      return fileResponse(definition)
    case 'json':
      return jsonResponses(definition, schemas)
    case 'json-or-events':
      return addEvents(jsonResponses(definition, schemas), eventsResponse(definition, schemas))
    case 'http':
      return { 200: { description: definition.summary } }
  }
}

const htmlResponse: Json = {
  200: { description: 'An HTML page', content: { 'text/html': { schema: { type: 'string' } } } },
}

const redirectResponse = ({ method }: EndpointDefinition): Json => ({
  [method === 'GET' ? 302 : 303]: {
    description: 'A redirect',
    headers: { Location: { description: 'Target of the redirect', schema: { type: 'string', format: 'uri' } } },
  },
})

/** OpenAPI 3.1 has no field for the shape of one event of a stream, so it goes into an extension. */
const eventsResponse = ({ summary, eventData }: EndpointDefinition, schemas: Json): Json => ({
  200: {
    description: summary,
    content: {
      'text/event-stream': {
        schema: { type: 'string' },
        ...(eventData === undefined ? {} : { 'x-event-data': schemaOf(eventData, 'output', schemas) }),
      },
    },
  },
})

/** Adds the stream of events as another content type of the status 200. */
function addEvents(responses: Json, events: Json): Json {
  const contentOf = (all: Json) => (all[200] as { content: Json }).content // built by the functions of this file
  return {
    ...responses,
    200: { ...(responses[200] as Json), content: { ...contentOf(responses), ...contentOf(events) } },
  }
}

const fileResponse = ({ summary, fileTypes = [] }: EndpointDefinition): Json => ({
  200: {
    description: summary,
    headers: {
      'Content-Disposition': { description: 'Disposition and file name (RFC 6266)', schema: { type: 'string' } },
    },
    content: Object.fromEntries(fileTypes.map((type) => [type, {}])),
  },
})

function jsonResponses(definition: EndpointDefinition, schemas: Json): Json {
  if (definition.list !== undefined) return listResponse(definition, schemas)
  if (definition.bare !== undefined)
    return jsonResponse(200, definition.summary, schemaOf(definition.bare, 'output', schemas))
  if (definition.deleted !== undefined) return deletedResponse(definition.deleted)
  return Object.assign(
    {},
    ...successStatusesOf(definition).map((status) => {
      const shape = definition[status]
      const data = shape === undefined ? {} : schemaOf(shape, 'output', schemas)
      return jsonResponse(successStatuses[status], definition.summary, envelope(data))
    }),
  )
}

const listResponse = ({ list, meta }: EndpointDefinition, schemas: Json): Json =>
  jsonResponse(200, 'One page of the list', {
    type: 'object',
    required: ['success', 'data', 'pagination', ...(meta ? ['meta'] : [])],
    properties: {
      success: { const: true },
      data: { type: 'array', items: list && schemaOf(list, 'output', schemas) },
      pagination: {
        type: 'object',
        required: ['next_cursor', 'has_more'],
        properties: { next_cursor: { type: ['string', 'null'] }, has_more: { type: 'boolean' } },
      },
      ...(meta && { meta: schemaOf(meta, 'output', schemas) }),
    },
  })

const deletedResponse = (idField: string): Json =>
  jsonResponse(
    200,
    'Deleted',
    envelope({
      type: 'object',
      required: [idField, 'deleted'],
      properties: { [idField]: { type: 'string' }, deleted: { const: true } },
    }),
  )

function errorResponses(definition: EndpointDefinition): Json {
  const byStatus = Map.groupBy(errorCodesOf(definition), (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        ...(codes.includes('reauthentication_required') ? { headers: stepUpChallengeHeader } : {}),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

const stepUpChallengeHeader: Json = {
  'WWW-Authenticate': {
    description:
      'With `reauthentication_required`: `Bearer error="insufficient_user_authentication", max_age="600"` (RFC 9470)',
    schema: { type: 'string' },
  },
}

/** Returns the declared errors of an endpoint and those that follow from its definition. */
function errorCodesOf(definition: EndpointDefinition): ErrorCode[] {
  const implied: ErrorCode[] = ['validation_failed', 'internal_error', 'service_unavailable']
  if (definition.credentials !== 'none') implied.push('invalid_credential', 'rate_limited')
  if (isCallLimited(definition)) implied.push('quota_exceeded')
  if (definition.scope !== undefined) implied.push('missing_scope')
  if (rejectsDownscopedTokens(definition)) implied.push('insufficient_scope')
  if (definition.stepUp === true) implied.push('reauthentication_required')
  if (definition.params !== undefined) implied.push('not_found')
  return [...new Set([...implied, ...(definition.errors ?? [])])].sort((a, b) => errors[a].status - errors[b].status)
}

const jsonResponse = (status: number, description: string, schema: unknown): Json => ({
  [status]: { description, content: { 'application/json': { schema } } },
})

const envelope = (data: unknown) => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { const: true }, data },
})
