import { type EndpointDefinition, successStatusesOf } from '@wp/contracts'
import { z } from 'zod'

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

/** A JSON Schema (2020-12), as far as this service reads it. */
export type JsonSchema = { [keyword: string]: unknown }

/** The JSON Schema of an object. */
export interface ObjectSchema extends JsonSchema {
  type: 'object'
  properties: Record<string, JsonSchema>
  required: string[]
}

/**
 * Returns the JSON Schema of a shape without references, which many clients do not resolve.
 * @throws Error if the shape contains itself
 */
export function jsonSchemaOf(shape: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _dialect,
    $defs = {},
    ...schema
  } = z.toJSONSchema(shape, { io, unrepresentable: 'any' }) as JsonSchema // a plain JSON object
  return inline(schema, $defs as Record<string, JsonSchema>, []) as JsonSchema // $defs holds schemas by name; an object stays one
}

/** Replaces references by the schemas they name. @param open names of the schemas that contain `value` */
function inline(value: unknown, definitions: Readonly<Record<string, JsonSchema>>, open: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => inline(element, definitions, open))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest }: JsonSchema = { ...value }
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, inline(member, definitions, open)]),
  )
  if (typeof $ref !== 'string') return own
  const name = $ref.replace('#/$defs/', '')
  const definition = definitions[name]
  if (definition === undefined || open.includes(name)) throw new Error(`cannot inline the reference ${$ref}`)
  const { id: _id, ...target }: JsonSchema = { ...definition }
  return { ...(inline(target, definitions, [...open, name]) as JsonSchema), ...own } // an object stays one
}
