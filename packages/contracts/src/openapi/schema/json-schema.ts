import { isJson, type Json } from './json.ts'

/** `input`: what a client may send. `output`: what it receives. */
export type Direction = 'input' | 'output'

const schemaMaps = ['properties', 'patternProperties']
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const subschemas = ['items', 'additionalProperties', 'propertyNames', 'not', 'contains']

/** Applies a function to every schema in a JSON Schema, the innermost first. */
export function mapSchema(schema: unknown, change: (schema: Json) => Json): unknown {
  if (!isJson(schema)) return schema
  const members = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (schemaMaps.includes(keyword) && isJson(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, own]) => [name, mapSchema(own, change)]))]
    if (schemaLists.includes(keyword) && Array.isArray(value))
      return [keyword, value.map((own) => mapSchema(own, change))]
    return [keyword, subschemas.includes(keyword) ? mapSchema(value, change) : value]
  })
  return change(Object.fromEntries(members))
}

/**
 * Returns a schema as the document shows it. Responses are open, because new fields and new values of enumerations are
 * no breaking change (docs/versioning.md): a generated client must accept them.
 */
export const presentSchema = (schema: Json, direction: Direction): Json =>
  presentNulls(
    splitTypes(
      mergeNull(presentNumber(presentText(direction === 'output' ? openSchema(schema) : presentInput(schema)))),
    ),
  )

/** Shows a list of several types as `anyOf`: generators know a list of one type and null only. */
function splitTypes(schema: Json): Json {
  const { type: types, ...rest } = schema
  if (!Array.isArray(types) || types.filter((type) => type !== 'null').length < 2) return schema
  return { ...rest, anyOf: types.map((type) => ({ type })) }
}

/** Generators know no type of null alone. */
function presentNulls(schema: Json): Json {
  if (!isJson(schema.properties)) return schema
  const properties = Object.entries(schema.properties).map(([name, own]) => {
    const isNull = isJson(own) && own.type === 'null'
    return [name, isNull ? { ...own, type: ['string', 'null'], const: null } : own]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

function openSchema({ additionalProperties, propertyNames: _names, default: _default, ...schema }: Json): Json {
  const { enum: values, ...rest } = schema
  const opened = Array.isArray(values) ? { ...rest, 'x-extensible-enum': values } : schema
  if (additionalProperties === undefined || additionalProperties === false) return opened
  return { ...opened, additionalProperties: isEmpty(additionalProperties) ? true : additionalProperties }
}

function presentInput({ propertyNames, ...given }: Json): Json {
  const schema = isSimpleDefault(given) ? given : describeDefault(given)
  const isAnyName = isJson(propertyNames) && Object.keys(propertyNames).join() === 'type'
  return {
    ...schema,
    ...(isJson(schema.properties) ? { properties: describeDefaults(schema.properties) } : {}),
    ...(propertyNames === undefined || isAnyName ? {} : { propertyNames }),
    ...(isEmpty(schema.additionalProperties) ? { additionalProperties: true } : {}),
  }
}

/** Generators write the default of a list, an object or a union as code that does not compile. */
const isSimpleDefault = ({ default: fallback, anyOf }: Json): boolean =>
  fallback === null || (typeof fallback !== 'object' && anyOf === undefined)

/** Types generated from a property with a default require it, although clients may leave it out. */
const describeDefaults = (properties: Json): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, isJson(schema) ? describeDefault(schema) : schema]),
  )

/** Says in the description which value the server takes, instead of in the keyword. */
function describeDefault({ default: fallback, ...schema }: Json): Json {
  if (fallback === undefined) return schema
  const values: unknown[] = Array.isArray(fallback) ? fallback : [fallback]
  const texts = values.map(
    (value) => `\`${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}\``,
  )
  const text = texts.length === 0 ? 'Default: none' : `Default: ${texts.join(', ')}`
  return { ...schema, description: schema.description === undefined ? text : `${schema.description}. ${text}` }
}

const isEmpty = (value: unknown): boolean => isJson(value) && Object.keys(value).length === 0

/** The format of a time says more than the pattern and the length. */
function presentText(schema: Json): Json {
  if (schema.const !== undefined && schema.type === undefined) return { type: typeof schema.const, ...schema }
  if (schema.format !== 'date-time') return schema
  const { pattern: _pattern, maxLength: _length, examples: _examples, ...rest } = schema
  return rest
}

/** Bounds of JavaScript's numbers are none of the API. Without a format, some generators use 32 bits. */
function presentNumber({ minimum, maximum, ...schema }: Json): Json {
  const isBound = (bound: unknown): bound is number =>
    typeof bound === 'number' && Number.isSafeInteger(Math.abs(bound) + 1)
  const isLarge = schema.type === 'integer' && !(isBound(maximum) && maximum < 2 ** 31)
  return {
    ...schema,
    ...(minimum === undefined || (schema.type === 'integer' && !isBound(minimum)) ? {} : { minimum }),
    ...(maximum === undefined || (schema.type === 'integer' && !isBound(maximum)) ? {} : { maximum }),
    ...(isLarge ? { format: 'int64' } : {}),
  }
}

/** Shows `anyOf` of one simple type and null as a list of both types, which more generators know. */
function mergeNull(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, other]: unknown[] = anyOf
  const isSimple = isJson(value) && typeof value.type === 'string' && !('enum' in value) && !('const' in value)
  if (!isSimple || !isJson(other) || other.type !== 'null') return schema
  return { ...value, type: [value.type, 'null'], ...rest }
}
