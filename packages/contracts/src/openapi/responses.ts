import type { z } from 'zod'
import { type EndpointDefinition, successStatusesOf } from '../core/endpoint/endpoint.ts'
import { successStatuses } from '../core/endpoint/response.ts'
import { deletedSchema, envelope, nameOfReference, pageSchema } from './envelope.ts'
import { acceptsIdempotencyKey } from './error-codes.ts'
import { errorResponses } from './error-responses.ts'
import { exampleOf, withExample } from './examples/examples.ts'
import { type ResponseHeader, responseHeadersOf } from './headers.ts'
import { problemSchema } from './problem-schema.ts'
import type { Components } from './schema/components.ts'
import { isJson, type Json, pascalCase } from './schema/json.ts'

/** Returns the responses of an operation by status. @param hasPrecondition true if it accepts `If-Match` */
export const responsesOf = (
  definition: EndpointDefinition,
  hasPrecondition: boolean,
  components: Components,
): Json => ({
  ...withRecorded(definition, successResponses(definition, components)),
  ...(hasEntityTag(definition) && definition.method === 'GET' ? { 304: notModified(components) } : {}),
  ...errorResponses(definition, hasPrecondition, components),
})

/** Adds the recorded response to the status and media type that it has. */
function withRecorded({ id }: EndpointDefinition, responses: Json): Json {
  const recorded = exampleOf(id)?.response
  if (recorded === undefined) return responses
  const response = responses[recorded.status]
  if (!isJson(response) || !isJson(response.content)) return responses
  return { ...responses, [recorded.status]: { ...response, content: withExample(response.content, recorded) } }
}

/** Returns true if the successful response has an `ETag`: that of a single resource without a secret. */
export const hasEntityTag = ({ ok, secret, method }: EndpointDefinition): boolean =>
  ok !== undefined && secret === undefined && method !== 'POST'

const notModified = (components: Components): Json =>
  components.add('responses', 'NotModified', {
    description: 'The resource still has the version of `If-None-Match`; there is no body',
    headers: responseHeadersOf(components, ['ETag']),
  })

function successResponses(definition: EndpointDefinition, components: Components): Json {
  const { summary } = definition
  switch (definition.response ?? 'json') {
    case 'html':
    case 'html-or-redirect':
      throw new Error(`${definition.id} is a page of a browser`)
    case 'redirect':
      return { 302: { description: summary, headers: responseHeadersOf(components, ['Location']) } }
    case 'events':
      return eventsResponse(definition, components)
    case 'file':
      return fileResponse(definition, components)
    case 'json':
      return jsonResponses(definition, components)
    case 'json-or-events':
      return addEvents(jsonResponses(definition, components), eventsResponse(definition, components))
    case 'http':
      return httpResponses(definition, components)
  }
}

/** The stream is a text; the schema of its content is that of one event, as `itemSchema` of OpenAPI 3.2 would be. */
const eventsResponse = ({ summary, eventData }: EndpointDefinition, components: Components): Json => ({
  200: {
    description: summary,
    headers: responseHeadersOf(components),
    content: {
      'text/event-stream': {
        schema: {
          type: 'string',
          ...(eventData === undefined ? {} : { contentSchema: eventSchema(eventData, components) }),
        },
      },
    },
  },
})

function eventSchema(shape: z.ZodType, components: Components): Json {
  const data = components.schemaOf(shape, 'output')
  const properties = {
    id: { type: 'string', description: 'Sent as `Last-Event-ID` to resume after this event' },
    event: { type: 'string', description: 'Kind of the event' },
    data: {
      type: 'string',
      description: 'JSON of the event',
      contentMediaType: 'application/json',
      contentSchema: data,
    },
  }
  const schema = { type: 'object', description: 'One event of the stream', properties }
  return components.addSchema(`${nameOfReference(data) ?? ''}StreamEvent`, schema, 'output')
}

/** Adds the stream of events as another content type of the status 200. */
function addEvents(responses: Json, events: Json): Json {
  const contentOf = (all: Json) => (all[200] as { content: Json }).content // built by the functions of this file
  return {
    ...responses,
    200: { ...(responses[200] as Json), content: { ...contentOf(responses), ...contentOf(events) } },
  }
}

const fileResponse = ({ summary, fileTypes = [] }: EndpointDefinition, components: Components): Json => ({
  200: {
    description: summary,
    headers: responseHeadersOf(components, ['Content-Disposition']),
    content: Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  },
})

function httpResponses({ httpResponses: declared = {}, limitClass }: EndpointDefinition, components: Components): Json {
  const problem = { 'application/problem+json': { schema: components.addSchema('Problem', problemSchema, 'output') } }
  const responses = Object.entries(declared).map(([status, { description, content = {} }]) => {
    const media = Object.entries(content).map(([type, shape]) => [
      type,
      { schema: components.schemaOf(shape, 'output') },
    ])
    const isProblem = Number(status) >= 400 && limitClass !== 'token'
    const shown = { ...(isProblem ? problem : {}), ...Object.fromEntries(media) }
    const response = { description, headers: responseHeadersOf(components) }
    return [status, media.length === 0 ? response : { ...response, content: shown }]
  })
  return Object.fromEntries(responses)
}

function jsonResponses(definition: EndpointDefinition, components: Components): Json {
  const { id, summary, list, bare, deleted } = definition
  if (list !== undefined)
    return jsonResponse(definition, 200, 'One page of the list', pageSchema(definition, list, components), components)
  if (bare !== undefined) return jsonResponse(definition, 200, summary, components.schemaOf(bare, 'output'), components)
  if (deleted !== undefined)
    return jsonResponse(definition, 200, 'The resource was deleted', deletedSchema(deleted, components), components)
  return Object.assign(
    {},
    ...successStatusesOf(definition).map((status) => {
      const shape = definition[status]
      const data = shape === undefined ? {} : components.schemaOf(shape, 'output')
      const name = `${nameOfReference(data) ?? `${pascalCase(id)}${status === 'ok' ? '' : pascalCase(status)}`}Response`
      const schema = components.addSchema(name, envelope(data), 'output')
      return jsonResponse(definition, successStatuses[status], summary, schema, components)
    }),
  )
}

function jsonResponse(
  definition: EndpointDefinition,
  status: number,
  description: string,
  schema: unknown,
  components: Components,
): Json {
  const further: ResponseHeader[] = []
  if (status === 200 && hasEntityTag(definition)) further.push('ETag')
  if (status !== 200 && definition.location !== undefined) further.push('Location')
  if (acceptsIdempotencyKey(definition)) further.push('Idempotency-Replayed')
  const headers = responseHeadersOf(components, further)
  return { [status]: { description, headers, content: { 'application/json': { schema } } } }
}
