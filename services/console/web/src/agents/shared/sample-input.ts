type Schema = Readonly<Record<string, unknown>>

/** Deeper values of a sample are left empty. */
const maxDepth = 4

/** Returns an input with the members that a JSON Schema requires, or all if it requires none, to be filled in. */
export function sampleInput(schema: Schema): Record<string, unknown> {
  const sample = sampleOf(schema, 0)
  return typeof sample === 'object' && sample !== null && !Array.isArray(sample) ? { ...sample } : {}
}

function sampleOf(schema: unknown, depth: number): unknown {
  if (!isSchema(schema) || depth > maxDepth) return null
  if ('default' in schema) return schema.default
  if ('const' in schema) return schema.const
  for (const values of [schema.examples, schema.enum]) if (Array.isArray(values) && values.length > 0) return values[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'string') return ''
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 0
  if (type === 'boolean') return false
  if (type === 'array') return []
  if (type !== 'object' || !isSchema(schema.properties)) return type === 'object' ? {} : null
  const names =
    Array.isArray(schema.required) && schema.required.length > 0 ? schema.required : Object.keys(schema.properties)
  const { properties } = schema
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[String(name)], depth + 1)]))
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
