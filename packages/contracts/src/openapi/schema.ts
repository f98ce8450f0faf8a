import { z } from 'zod'
import { errors } from '../core/error.ts'
import { quotaNames } from '../core/quota.ts'

export type Json = Record<string, unknown>

/** Returns the JSON Schema of a shape. A shape with an id is added to `schemas` and referenced. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): unknown {
  const { $schema: _dialect, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json // toJSONSchema returns a plain JSON object
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json))
    schemas[name] = rebase(withoutId(definition as Json)) // $defs holds schemas by name
  const { id } = own
  const self = rebase(withoutId(own))
  if (typeof id !== 'string') return self
  schemas[id] = self
  return { $ref: `#/components/schemas/${id}` }
}

const withoutId = ({ id: _id, ...rest }: Json): Json => rest

/** Makes references point to the components of the document instead of the definitions of the schema. */
function rebase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : rebase(member),
    ]),
  )
}

/** The body of every error response. */
export const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem details inside the envelope',
  required: ['success', 'type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    success: { const: false },
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(errors) },
    detail: { type: 'string' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
      },
    },
    quota: { type: 'string', enum: quotaNames, description: 'Only with `quota_exceeded`: the exhausted quota' },
    kind: { type: 'string', description: 'Only with `quota_exceeded`: the kind of job, for `queued_jobs`' },
    limit: { type: 'integer', description: 'Only with `quota_exceeded`: the limit of the quota' },
    current: { type: 'integer', description: 'Only with `quota_exceeded`: the use before the request' },
  },
}
