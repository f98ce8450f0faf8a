import { type EndpointDefinition, successStatusesOf } from '@wp/contracts'
import { z } from 'zod'
import { type JsonSchema, jsonSchemaOf, type ObjectSchema } from './json-schema.ts'

/** The result of a tool: the members of the API's response, and a notice about them. */
export interface ToolOutput {
  data: unknown
  pagination?: { next_cursor: string | null; has_more: boolean }
  meta?: unknown
  /** Tells that the result was shortened, or which tool to call next. */
  notice?: string
}

const pagination: JsonSchema = {
  type: 'object',
  description: 'Call the tool again with `cursor` set to `next_cursor` for the next page',
  properties: { next_cursor: { type: ['string', 'null'] }, has_more: { type: 'boolean' } },
  required: ['next_cursor', 'has_more'],
}

const notice: JsonSchema = { type: 'string', description: 'Tells that the result was shortened, or what to do next' }

/**
 * Returns the JSON Schema of the output of a tool. @throws Error if the endpoint declares no shape that a tool can
 * return
 */
export function outputSchemaOf(definition: EndpointDefinition): ObjectSchema {
  const { list, meta } = definition
  if (list === undefined) return objectOf({ data: jsonSchemaOf(successShapeOf(definition), 'output') }, { notice })
  const data: JsonSchema = { type: 'array', items: jsonSchemaOf(list, 'output') }
  return objectOf({ data, pagination, ...(meta && { meta: jsonSchemaOf(meta, 'output') }) }, { notice })
}

const objectOf = (
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>>,
): ObjectSchema => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
})

/** Returns the shape of `data`; that of several statuses if they differ. */
function successShapeOf(definition: EndpointDefinition): z.ZodType {
  const shapes = [...new Set(successStatusesOf(definition).flatMap((status) => definition[status] ?? []))]
  const [only, ...others] = shapes
  if (only === undefined) throw new Error(`${definition.id} declares no shape that a tool can return`)
  return others.length === 0 ? only : z.union(shapes)
}
