/** The part of JSON Schema 2020-12 that the schemas of providers use. */
export interface JsonSchema {
  $ref?: string
  $defs?: Readonly<Record<string, JsonSchema>>
  type?: string
  title?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: JsonSchema
  oneOf?: readonly JsonSchema[]
  anyOf?: readonly JsonSchema[]
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  maxItems?: number
  maxProperties?: number
}

/** The control of a value. `json` is for everything that has no control of its own. */
export type SchemaKind =
  | 'text'
  | 'number'
  | 'flag'
  | 'choice'
  | 'list'
  | 'map'
  | 'group'
  | 'entries'
  | 'variants'
  | 'json'

/** Replaces a reference to a definition of `root` by the definition; what stands beside the reference wins. */
export function resolveReference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema
  if ($ref === undefined) return schema
  const name = $ref.replace('#/$defs/', '')
  return { ...resolveReference(root.$defs?.[name] ?? {}, root), ...own }
}

/** Returns the kind of control for a resolved schema. */
export function kindOf(schema: JsonSchema): SchemaKind {
  if (schema.enum) return 'choice'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'array' && schema.items?.type === 'string') return 'list'
  if (schema.type === 'array' && schema.items?.properties) return 'entries'
  if (schema.oneOf?.every(({ properties }) => properties?.type?.const !== undefined)) return 'variants'
  if (schema.properties) return 'group'
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') return 'map'
  return 'json'
}

/** Messages by JSON pointer. */
export type FieldErrors = ReadonlyMap<string, string>

/** Appends a name to a JSON pointer (RFC 6901). */
export const appendPointer = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Checks a value against a schema, so that mistakes show before the form is sent. The platform checks it again.
 * @param pointer where the value is in the body of the request
 */
export function validateBySchema(
  schema: JsonSchema,
  value: unknown,
  root: JsonSchema = schema,
  pointer = '',
): Map<string, string> {
  const resolved = resolveReference(schema, root)
  const kind = kindOf(resolved)
  if (kind === 'variants') return validateVariant(resolved, value, root, pointer)
  if (kind === 'entries')
    return new Map(
      (Array.isArray(value) ? value : []).flatMap((entry, index) => [
        ...validateBySchema(resolved.items ?? {}, entry, root, appendPointer(pointer, index)),
      ]),
    )
  if (kind === 'group' || kind === 'map') return validateMembers(resolved, value, root, pointer)
  const problem = kind === 'list' ? undefined : describeProblem(resolved, kind, value)
  return new Map(problem === undefined ? [] : [[pointer, problem]])
}

function validateMembers(schema: JsonSchema, value: unknown, root: JsonSchema, pointer: string): Map<string, string> {
  const members = asMembers(value)
  const missing = (schema.required ?? []).filter((name) => members[name] === undefined)
  const errors = new Map(missing.map((name) => [appendPointer(pointer, name), 'is required']))
  for (const [name, member] of Object.entries(members)) {
    const additional = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
    const memberSchema = schema.properties?.[name] ?? additional
    const at = appendPointer(pointer, name)
    const isNamed = schema.properties?.[name] !== undefined
    const nameProblem = isNamed ? undefined : describeProblem(schema.propertyNames ?? {}, 'text', name)
    if (nameProblem !== undefined) errors.set(at, `The name ${nameProblem}`)
    else if (memberSchema && member !== undefined)
      for (const [place, problem] of validateBySchema(memberSchema, member, root, at)) errors.set(place, problem)
  }
  return errors
}

function validateVariant(schema: JsonSchema, value: unknown, root: JsonSchema, pointer: string): Map<string, string> {
  const variant = findVariant(schema, value)
  return variant
    ? validateBySchema(variant, value, root, pointer)
    : new Map([[appendPointer(pointer, 'type'), 'is required']])
}

/** Returns the variant that the `type` of a value names. */
export const findVariant = (schema: JsonSchema, value: unknown): JsonSchema | undefined =>
  schema.oneOf?.find(({ properties }) => properties?.type?.const === asMembers(value).type)

function describeProblem(schema: JsonSchema, kind: SchemaKind, value: unknown): string | undefined {
  if (kind === 'number') return describeNumberProblem(schema, value)
  if (kind !== 'text' || typeof value !== 'string') return undefined
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema
  if (value.length < minLength) return minLength === 1 ? 'is required' : `must have at least ${minLength} characters`
  if (value.length > maxLength) return `must have at most ${maxLength} characters`
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `must match ${pattern}`
  return undefined
}

function describeNumberProblem({ type, minimum, maximum }: JsonSchema, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
  if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number'
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`
  return undefined
}

/** Returns the members of an object, and none of anything else. */
export const asMembers = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

const acronyms: Readonly<Record<string, string>> = {
  url: 'URL',
  api: 'API',
  id: 'ID',
  ca: 'CA',
  ssl: 'TLS',
  mcp: 'MCP',
}

/** Returns the label of a field: its title, or its name in words. */
export function labelOf(name: string, schema: JsonSchema = {}): string {
  if (schema.title) return schema.title
  const words = name.split(/[_\s]+/).map((word) => acronyms[word.toLowerCase()] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
