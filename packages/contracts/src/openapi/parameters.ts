import { z } from 'zod'
import { type EndpointDefinition, needsWorkspace } from '../core/endpoint/endpoint.ts'
import { acceptsIdempotencyKey } from './error-codes.ts'
import { hasEntityTag } from './responses.ts'
import type { Components } from './schema/components.ts'
import { isJson, type Json } from './schema/json.ts'

/** Request headers of many endpoints, by the name of their component. */
const headerParameters = {
  WorkspaceKey: {
    name: 'x-workspace-key',
    description:
      'Identifier of the workspace. Required if the credential has none and you are a member of several; a credential that belongs to another workspace is refused',
    schema: { type: 'string' },
    example: 'ws_01h455vb4pex5vsknk084sn02q',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'Makes a retry safe: for 24 hours the same key and body get the stored response instead of a second effect',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: '6f1c7f3e-8f0b-4c58-9f0e-3b1f3c6a2d10',
  },
  IfMatch: {
    name: 'If-Match',
    description: 'The `ETag` you read: the change is refused with 412 if the resource has changed since',
    schema: { type: 'string' },
    example: '"3q2-7wEjRWeJq83vASNFZw"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    description: 'The `ETag` you have: the response is 304 without a body if the resource is unchanged',
    schema: { type: 'string' },
    example: '"3q2-7wEjRWeJq83vASNFZw"',
  },
  Prefer: {
    name: 'Prefer',
    description: '`respond-async`: respond with 202 and a job instead of waiting for the result (RFC 7240)',
    schema: { type: 'string' },
    example: 'respond-async',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    description: 'The `id` of the last event you received: the stream continues after it',
    schema: { type: 'string' },
    example: '12',
  },
} as const

/** Request headers that OpenAPI describes elsewhere, or that clients do not set. */
const undocumentedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'content-type',
  'cookie',
  'sec-fetch-site',
])

/** Returns the parameters of an operation. @param hasPrecondition true if it accepts `If-Match` */
export function parametersOf(definition: EndpointDefinition, hasPrecondition: boolean, components: Components): Json[] {
  const header = (name: keyof typeof headerParameters) =>
    components.add('parameters', name, { in: 'header', required: false, ...headerParameters[name] })
  const { response, method, headers = [] } = definition
  return [
    ...fieldsOf(definition.params, 'path', components),
    ...fieldsOf(definition.query, 'query', components),
    ...(needsWorkspace(definition) ? [header('WorkspaceKey')] : []),
    ...(acceptsIdempotencyKey(definition) ? [header('IdempotencyKey')] : []),
    ...(hasPrecondition ? [header('IfMatch')] : []),
    ...(method === 'GET' && hasEntityTag(definition) ? [header('IfNoneMatch')] : []),
    ...(definition.input === 'stream' && definition.accepted !== undefined ? [header('Prefer')] : []),
    ...(response === 'events' || response === 'json-or-events' ? [header('LastEventId')] : []),
    ...headers.filter((name) => !undocumentedHeaders.has(name)).map((name) => ownHeader(name)),
  ]
}

const ownHeader = (name: string): Json => ({
  name,
  in: 'header',
  required: false,
  description: ownHeaderDescriptions[name] ?? `The header \`${name}\``,
  schema: { type: 'string' },
})

const ownHeaderDescriptions: Readonly<Record<string, string>> = {
  'mcp-protocol-version': 'Revision of the protocol, as agreed when the client was initialized',
  'mcp-method': 'Method of the JSON-RPC message; must agree with the body',
  'mcp-name': 'Name of the tool, prompt or resource of the message; must agree with the body',
  'stripe-signature': 'Signature of Stripe over the time and the body',
}

function fieldsOf(object: z.ZodObject | undefined, location: 'path' | 'query', components: Components): Json[] {
  return Object.entries(object?.shape ?? {}).map(([name, field]) => {
    const shown = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
    const schema = components.schemaOf(field, 'input')
    const { description = commonDescriptions[name], deprecated, ...rest } = isJson(schema) ? schema : {}
    const text = shown.description ?? description
    return {
      name,
      in: location,
      required: location === 'path' || !z.safeParse(field, undefined).success,
      ...(text === undefined ? {} : { description: text }),
      schema: isBooleanText(field) ? booleanSchema(field) : rest,
      ...(deprecated === true ? { deprecated: true } : {}),
      ...(shown.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    }
  })
}

/** Descriptions of parameters that mean the same everywhere. */
const commonDescriptions: Readonly<Record<string, string>> = {
  limit: 'Maximum number of items on a page',
  cursor: '`next_cursor` of the previous page, sent with the same filters; absent for the first one',
  external_id: 'Only resources with this identifier of yours',
  status: 'Only resources with this status',
  name: 'Only resources with exactly this name',
  provider: 'Only resources of this provider',
  key: 'Only the record with this key',
  kind: 'Only resources of this kind',
  event: 'Only those of this event kind',
  since: 'Only what was created at this time or later',
  until: 'Only what was created before this time',
}

/** Returns true if a parameter is text that is parsed as true or false. */
const isBooleanText = (field: z.ZodType): boolean =>
  z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' }).type === 'boolean'

function booleanSchema(field: z.ZodType): Json {
  const { data: fallback } = z.safeParse(field, undefined)
  return { type: 'boolean', ...(fallback === undefined ? {} : { default: fallback }) }
}
