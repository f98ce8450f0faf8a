import { bodyPointer, type FieldError, nearestName } from '@wp/contracts'
import { isObject, type Path, type Schema } from './evaluation.ts'

/** The members of a schema that hold a schema, an array of schemas, or named schemas. */
const applicators = {
  schema: [...['additionalProperties', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames']],
  array: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  named: ['properties', 'dependentSchemas', '$defs'],
} as const

/** Members that hold no schema: assertions and annotations. */
const plainKeywords = [
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems', 'maxContains', 'minContains'],
  ...['maxProperties', 'minProperties', 'required', 'dependentRequired', 'format', '$ref', '$schema', '$comment'],
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['contentEncoding', 'contentMediaType'],
]

/** Members that are not supported, with the reason. */
const refused: Readonly<Record<string, string>> = {
  pattern: 'is not supported, because a pattern can take unlimited time; use enum, format, minLength or maxLength',
  patternProperties: 'is not supported, because a pattern can take unlimited time; use properties or propertyNames',
  unevaluatedItems: 'is not supported; use items',
  unevaluatedProperties: 'is not supported; use additionalProperties',
  ...Object.fromEntries(
    ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$vocabulary', 'definitions'].map((name) => [
      name,
      'is not supported; define schemas in $defs and reference them by "#/$defs/<name>"',
    ]),
  ),
}

const known = [...Object.values(applicators).flat(), ...plainKeywords]
const kinds = new Map<string, 'schema' | 'array' | 'named' | 'plain'>([
  ...plainKeywords.map((name) => [name, 'plain'] as const),
  ...applicators.schema.map((name) => [name, 'schema'] as const),
  ...applicators.array.map((name) => [name, 'array'] as const),
  ...applicators.named.map((name) => [name, 'named'] as const),
])

export interface SchemaLimits {
  maxDepth: number
  /** Characters of the schema as JSON, with each `$ref` replaced by what it references. */
  maxSize: number
}

/** Stops at the first fault. */
class SchemaFault extends Error {
  readonly fault: FieldError

  constructor(path: Path, detail: string) {
    super(detail)
    this.fault = { pointer: bodyPointer(path), detail }
  }
}

/**
 * Measures a JSON Schema of a user, so that neither its compilation nor a validation with it takes long. Every `$ref`
 * counts with the size of what it references: ten definitions that reference the next one twice are a thousand schemas.
 * @returns the first fault; undefined if the schema is within the limits
 */
export function findSchemaFault(schema: Schema, limits: SchemaLimits): FieldError | undefined {
  try {
    new SchemaWalk(schema, limits).visitAll()
    return undefined
  } catch (error) {
    if (error instanceof SchemaFault) return error.fault
    throw error
  }
}

class SchemaWalk {
  readonly #root: Schema
  readonly #definitions: Schema
  readonly #limits: SchemaLimits
  #size = 0

  constructor(root: Schema, limits: SchemaLimits) {
    this.#root = root
    this.#definitions = isObject(root.$defs) ? root.$defs : {}
    this.#limits = limits
  }

  /** @throws SchemaFault */
  visitAll(): void {
    this.#visit(this.#root, [], [])
    // Definitions are compiled also if nothing references them.
    for (const [name, schema] of Object.entries(this.#definitions)) this.#visit(schema, ['$defs', name], [name])
  }

  #visit(schema: unknown, path: Path, references: readonly string[]): void {
    this.#add(path, emptySchemaSize)
    if (!isObject(schema)) return
    for (const [name, value] of Object.entries(schema)) {
      if (name === '$defs' && path.length === 0) continue
      this.#add(path, name.length + memberSize)
      this.#visitMember(name, value, [...path, name], references)
    }
  }

  #visitMember(name: string, value: unknown, path: Path, references: readonly string[]): void {
    const kind = kinds.get(name)
    if (kind === undefined) throw new SchemaFault(path, describeUnknown(name))
    if (name === '$defs') throw new SchemaFault(path, 'is allowed at the top level only')
    if (name === '$ref') this.#follow(value, path, references)
    else if (kind === 'schema') this.#visit(value, path, references)
    else if (kind === 'array' && Array.isArray(value))
      value.forEach((member, position) => {
        this.#visit(member, [...path, position], references)
      })
    else if (kind === 'named' && isObject(value))
      for (const [key, member] of Object.entries(value)) {
        this.#add(path, key.length + memberSize)
        this.#visit(member, [...path, key], references)
      }
    else this.#add(path, JSON.stringify(value).length)
  }

  #follow(reference: unknown, path: Path, references: readonly string[]): void {
    const name = typeof reference === 'string' ? referencePattern.exec(reference)?.[1] : undefined
    const key = name?.replaceAll('~1', '/').replaceAll('~0', '~')
    if (key === undefined || !Object.hasOwn(this.#definitions, key))
      throw new SchemaFault(path, 'must be "#/$defs/<name>" and name a member of $defs')
    if (references.includes(key)) throw new SchemaFault(path, 'must not be recursive')
    this.#visit(this.#definitions[key], path, [...references, key])
  }

  #add(path: Path, characters: number): void {
    const { maxSize, maxDepth } = this.#limits
    this.#size += characters
    if (this.#size > maxSize)
      throw new SchemaFault(
        [],
        `must have at most ${maxSize} characters as JSON, with references replaced by what they reference`,
      )
    if (path.length > maxDepth) throw new SchemaFault(path, `must not nest deeper than ${maxDepth} levels`)
  }
}

/** Characters of `{}` with a separator, and of a member beside its name: quotes, colon and comma. */
const [emptySchemaSize, memberSize] = [3, 4]

/** A name without percent-encoding, which a URI would need for other characters. */
const referencePattern = /^#\/\$defs\/([^/%]{1,200})$/

function describeUnknown(name: string): string {
  const reason = Object.hasOwn(refused, name) ? refused[name] : undefined
  if (reason !== undefined) return reason
  const nearest = nearestName(name, known)
  return nearest === undefined
    ? 'is not a keyword of JSON Schema 2020-12'
    : `is not a keyword of JSON Schema 2020-12; did you mean ${nearest}?`
}
