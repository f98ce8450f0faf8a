import type { z } from 'zod'
import type { EndpointDefinition } from '../core/endpoint/endpoint.ts'
import type { Components } from './schema/components.ts'
import { isJson, type Json, pascalCase } from './schema/json.ts'

const paginationSchema: Json = {
  type: 'object',
  required: ['next_cursor', 'has_more'],
  properties: {
    next_cursor: {
      type: ['string', 'null'],
      description: 'Send it as `cursor` for the next page; null on the last one',
    },
    has_more: { type: 'boolean', description: 'True if there is another page' },
  },
}

/** Returns the schema of one page of a list. */
export function pageSchema({ id, meta }: EndpointDefinition, list: z.ZodType, components: Components): Json {
  const items = components.schemaOf(list, 'output')
  const schema = {
    type: 'object',
    required: ['success', 'data', 'pagination', ...(meta ? ['meta'] : [])],
    properties: {
      success: { type: 'boolean', const: true },
      data: { type: 'array', items },
      pagination: components.addSchema('Pagination', paginationSchema, 'output'),
      ...(meta && { meta: components.schemaOf(meta, 'output') }),
    },
  }
  return components.addSchema(`${nameOfReference(items) ?? pascalCase(id)}Page`, schema, 'output')
}

/** Returns the schema of the response of a deletion. */
export const deletedSchema = (idField: string, components: Components): Json =>
  components.addSchema(
    `Deleted${pascalCase(idField.replace(/_?id$/, ''))}Response`,
    envelope({
      type: 'object',
      required: [idField, 'deleted'],
      properties: { [idField]: { type: 'string' }, deleted: { type: 'boolean', const: true } },
    }),
    'output',
  )

/** Returns the name of the component that a schema refers to. */
export const nameOfReference = (schema: unknown): string | undefined =>
  isJson(schema) && typeof schema.$ref === 'string' ? /([^/@]+)(?:@\w+)?$/.exec(schema.$ref)?.[1] : undefined

/** Returns the schema of a successful response with some data. */
export const envelope = (data: unknown): Json => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { type: 'boolean', const: true }, data },
})
