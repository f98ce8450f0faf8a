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

/** The first member of every successful response. */
const success: Json = { type: 'boolean', const: true, description: 'True: an error has false, and other members' }

/** Returns the schema of one page of a list. */
export function pageSchema({ id, meta }: EndpointDefinition, list: z.ZodType, components: Components): Json {
  const items = components.schemaOf(list, 'output')
  const schema = {
    type: 'object',
    required: ['success', 'data', 'pagination', ...(meta ? ['meta'] : [])],
    properties: {
      success,
      data: { type: 'array', items, description: 'The entries of the page' },
      pagination: components.addSchema('Pagination', paginationSchema, 'output'),
      ...(meta && { meta: describe(components.schemaOf(meta, 'output'), 'About the list as a whole') }),
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
      properties: {
        [idField]: { type: 'string', description: 'The deleted resource' },
        deleted: { type: 'boolean', const: true, description: 'Always true' },
      },
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
  properties: { success, data: describe(data, 'The result of the request') },
})

/** Adds a description to a schema that has none and refers to no component. */
const describe = (schema: unknown, description: string): unknown =>
  isJson(schema) && schema.$ref === undefined ? { description, ...schema } : schema
