import { arrayOf, isJson, type Json, objectOf, resolve, stringOf } from './json.ts'

/** Returns the type of a schema in words, such as `array of strings` or `integer or null`. */
export function typeOf(document: Json, value: unknown): string {
  const schema = resolve(document, value)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = [...arrayOf(schema.oneOf), ...arrayOf(schema.anyOf)]
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeOf(document, choice)))].join(' or ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => nameOf(document, schema, String(type))).join(' or ')
  if (typeof schema.type === 'string') return nameOf(document, schema, schema.type)
  if (Array.isArray(schema.enum)) return 'string'
  return isJson(schema.properties) || Array.isArray(schema.allOf) ? 'object' : 'any'
}

function nameOf(document: Json, schema: Json, type: string): string {
  if (type === 'array') return `array of ${schema.items === undefined ? 'any' : plural(typeOf(document, schema.items))}`
  const format = stringOf(schema.format)
  if (type === 'string' && format === 'date-time') return 'time'
  return type === 'string' && format !== undefined ? `${type} (${format})` : type
}

const plural = (name: string): string =>
  /^(?:string|object|integer|number|boolean|time)$/.test(name) ? `${name}s` : name

/** Returns what a schema demands of a value, each as a short text. */
export function constraintsOf(schema: Json): string[] {
  const { minLength, maxLength, minItems, maxItems, maxProperties } = schema
  return [
    range(schema.minimum, schema.maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    range(undefined, maxProperties, ' members'),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== undefined)
}

/** Larger bounds are those of the number format and say nothing about the field. */
const maxMeaningfulBound = 1e15

function range(minimum: unknown, maximum: unknown, unit: string): string | undefined {
  const least =
    typeof minimum === 'number' && minimum > -maxMeaningfulBound && (unit === '' || minimum > 1) ? minimum : undefined
  const most = typeof maximum === 'number' && maximum < maxMeaningfulBound ? maximum : undefined
  if (least !== undefined && most !== undefined) return `${format(least)} to ${format(most)}${unit}`
  if (most !== undefined) return `at most ${format(most)}${unit}`
  return least === undefined ? undefined : `at least ${format(least)}${unit}`
}

const format = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 })

/** Returns the values of an enumeration, closed or open. */
export const valuesOf = (schema: Json): unknown[] => {
  const choices = [...arrayOf(schema.anyOf), ...arrayOf(schema.oneOf)].map(objectOf)
  const own = [...arrayOf(schema.enum), ...arrayOf(schema['x-extensible-enum'])]
  return own.length > 0
    ? own
    : choices.flatMap((choice) => [...arrayOf(choice.enum), ...arrayOf(choice['x-extensible-enum'])])
}
