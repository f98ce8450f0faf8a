import { z } from 'zod'

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
