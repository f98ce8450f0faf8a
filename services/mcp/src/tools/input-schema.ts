import type { EndpointDefinition } from '@wp/contracts'
import { type JsonSchema, jsonSchemaOf, type ObjectSchema } from './json-schema.ts'

/**
 * Returns the JSON Schema of the arguments of a tool: path parameters, query parameters and fields of the body in one
 * object, without those of a fixed value.
 * @throws Error if two of them have the same name, or if the body is not an object
 */
export function inputSchemaOf({ id, params, query, body, tool }: EndpointDefinition): ObjectSchema {
  const properties = new Map<string, JsonSchema>()
  const required: string[] = []
  for (const shape of [params, query, body]) {
    if (shape === undefined) continue
    const part = jsonSchemaOf(shape, 'input')
    if (part.type !== 'object') throw new Error(`the body of ${id} is not an object`)
    const { properties: fields, required: names = [] } = part as Partial<ObjectSchema> // zod writes these keywords for objects
    for (const [name, schema] of Object.entries(fields ?? {})) {
      if (properties.has(name)) throw new Error(`${id} has two inputs with the name ${name}`)
      properties.set(name, schema)
    }
    required.push(...names)
  }
  const isOffered = (name: string) => tool?.fixed === undefined || !Object.hasOwn(tool.fixed, name)
  return {
    type: 'object',
    properties: Object.fromEntries([...properties].filter(([name]) => isOffered(name))),
    required: required.filter(isOffered),
    additionalProperties: false,
  }
}
