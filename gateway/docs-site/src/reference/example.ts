import { arrayOf, isJson, type Json, objectOf, resolve, stringOf } from './json.ts'

/** Nesting beyond which examples are cut. */
const maxDepth = 7

/** Returns the example of a media type: a declared one, or one made from its schema. */
export function exampleOfMedia(document: Json, media: Json): unknown {
  if (media.example !== undefined) return media.example
  const [named] = Object.values(objectOf(media.examples))
  if (named !== undefined) return resolve(document, named).value
  return media.schema === undefined ? undefined : exampleOf(document, media.schema)
}

/**
 * Makes an example of a schema, from declared examples and defaults where there are any.
 * @param required true leaves out optional members without an example, as in a request
 */
export function exampleOf(document: Json, given: unknown, required = false, depth = 0): unknown {
  const schema = resolve(document, given)
  const declared = [schema.example, arrayOf(schema.examples)[0], schema.const, schema.default].find(
    (candidate) => candidate !== undefined,
  )
  if (declared !== undefined) return declared
  const [value] = [...arrayOf(schema.enum), ...arrayOf(schema['x-extensible-enum'])]
  if (value !== undefined) return value
  const [choice] = [...arrayOf(schema.oneOf), ...arrayOf(schema.anyOf)]
  if (choice !== undefined) return exampleOf(document, choice, required, depth)
  const parts = arrayOf(schema.allOf)
  if (parts.length > 0)
    return Object.assign({}, ...parts.map((part) => objectOf(exampleOf(document, part, required, depth))))
  return exampleOfType(document, schema, required, depth)
}

function exampleOfType(document: Json, schema: Json, required: boolean, depth: number): unknown {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type
  if (type === 'object' || isJson(schema.properties)) return exampleOfObject(document, schema, required, depth)
  if (type === 'array')
    return depth > maxDepth || !schema.items ? [] : [exampleOf(document, schema.items, required, depth + 1)]
  if (type === 'integer' || type === 'number')
    return typeof schema.minimum === 'number' ? Math.max(schema.minimum, 1) : 1
  if (type === 'boolean') return true
  if (type === 'string') return exampleOfString(schema)
  return type === 'null' ? null : {}
}

function exampleOfObject(document: Json, schema: Json, required: boolean, depth: number): Json {
  if (depth > maxDepth) return {}
  const names = new Set(arrayOf(schema.required))
  const members = Object.entries(objectOf(schema.properties)).filter(([name]) => !required || names.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(document, member, required, depth + 1)]))
}

const formatExamples: Readonly<Record<string, string>> = {
  'date-time': '2026-01-05T09:30:00.000Z',
  date: '2026-01-05',
  email: 'kim@example.com',
  uri: 'https://example.com/',
  uuid: '5f0c9a52-7d0e-4c8f-9d0a-2f6a1f0b7c11',
}

const exampleOfString = (schema: Json): string => formatExamples[stringOf(schema.format) ?? ''] ?? 'string'
