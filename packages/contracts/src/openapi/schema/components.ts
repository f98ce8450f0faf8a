import { z } from 'zod'
import { scopes } from '../../core/endpoint/scope.ts'
import { meters } from '../../core/quota/meter.ts'
import { type IdPrefix, id, idPrefixes } from '../../core/shape/id.ts'
import { jobStates, metadata, metadataFilter, metadataPatch } from '../../core/shape/shape.ts'
import { isJson, type Json, pascalCase, sorted } from './json.ts'
import { type Direction, mapSchema, presentSchema } from './json-schema.ts'

const schemaPrefix = '#/components/schemas/'
/** Ends a reference to a schema until it is known whether input and output differ. */
const marks: Readonly<Record<Direction, string>> = { input: '@input', output: '@output' }

/** Collects what the operations of a document have in common, each under one name. */
export interface Components {
  /** Returns the JSON Schema of a shape. A shape with an id becomes a component and is referenced. */
  schemaOf(shape: z.ZodType, direction: Direction): unknown
  /** Adds a schema under a name and returns a reference to it. @throws if the name belongs to another schema */
  addSchema(name: string, schema: Json, direction: Direction): Json
  /** Adds a component of another kind and returns a reference to it. @throws if the name belongs to another one */
  add(kind: 'responses' | 'parameters' | 'headers' | 'examples', name: string, value: Json): Json
  /**
   * Adds `components` to a document. A schema that differs as input and as output gets two names: `Agent`, and
   * `AgentInput` for what clients send.
   */
  complete(document: Json): Json
}

/** Creates an empty collection. Longer than most functions: its steps share the schemas collected so far. */
export function createComponents(): Components {
  const schemas = new Map<string, Partial<Record<Direction, Json>>>()
  const others = new Map<string, Map<string, Json>>()

  function addSchema(name: string, schema: Json, direction: Direction): Json {
    const entry = schemas.get(name) ?? {}
    if (entry[direction] !== undefined && !isEqual(entry[direction], schema))
      throw new Error(`two schemas have the name ${name}`)
    schemas.set(name, { ...entry, [direction]: schema })
    return { $ref: `${schemaPrefix}${name}${marks[direction]}` }
  }

  const shared = new Map<string, { name: string; schema: Json }>()
  for (const direction of ['input', 'output'] as const)
    for (const [name, shape] of Object.entries(sharedShapes)) {
      const schema = convert(shape, direction) as Json // a shared shape has no id
      shared.set(direction + keyOf(schema), { name, schema })
    }

  /** Replaces a schema by a reference if it is a shared one, but for its annotations. */
  function replaceShared(schema: Json, direction: Direction): Json {
    const found = shared.get(direction + keyOf(schema))
    if (found === undefined) return schema
    const { description, default: fallback } = schema
    return {
      ...addSchema(found.name, found.schema, direction),
      ...(description === undefined || description === found.schema.description ? {} : { description }),
      ...(fallback === undefined ? {} : { default: fallback }),
    }
  }

  function convert(shape: z.ZodType, direction: Direction): unknown {
    const json = z.toJSONSchema(shape, { io: direction, unrepresentable: 'any' }) as Json // a plain JSON object
    const { $schema: _dialect, $defs = {}, ...own } = json
    const present = (schema: Json) =>
      mapSchema(schema, ({ id: _id, ...inner }) =>
        replaceShared(presentSchema(describeCommon(markReference(inner, direction)), direction), direction),
      ) as Json // maps a JSON object to one
    for (const [name, definition] of Object.entries($defs as Record<string, Json>)) // schemas by name
      addSchema(componentName(name), present(definition), direction)
    return typeof own.id === 'string' ? addSchema(componentName(own.id), present(own), direction) : present(own)
  }

  function complete(document: Json): Json {
    const used = usedSchemas(schemas, [document, ...[...others.values()].flatMap((values) => [...values.values()])])
    const differing = differingNames(schemas)
    const nameOf = (name: string, direction: Direction) =>
      direction === 'input' && differing.has(name) ? `${name}Input` : name
    const named = [...schemas].flatMap(([name, entry]) =>
      Object.entries(entry)
        .filter(([direction]) => used.has(`${name}@${direction}`))
        .map(([direction, schema]) => [nameOf(name, direction as Direction), schema] as const),
    )
    const kinds = [...others].map(([kind, values]) => [kind, sorted(Object.fromEntries(values))])
    const components = { schemas: sorted(Object.fromEntries(named)), ...Object.fromEntries(kinds) }
    const own = isJson(document.components) ? document.components : {}
    return resolveMarks({ ...document, components: { ...components, ...own } }, nameOf) as Json // the same document
  }

  return {
    addSchema,
    schemaOf: convert,
    add(kind, name, value) {
      const values = others.get(kind) ?? new Map<string, Json>()
      const existing = values.get(name)
      if (existing !== undefined && !isEqual(existing, value)) throw new Error(`two ${kind} have the name ${name}`)
      others.set(kind, values.set(name, value))
      return { $ref: `#/components/${kind}/${name}` }
    },
    complete,
  }
}

/** Returns the references, such as `Agent@input`, that can be reached from some values. */
function usedSchemas(
  schemas: ReadonlyMap<string, Partial<Record<Direction, Json>>>,
  roots: readonly unknown[],
): ReadonlySet<string> {
  const used = new Set<string>()
  const visit = (value: unknown) => {
    for (const [, name = '', direction] of JSON.stringify(value).matchAll(/schemas\/([^"@]+)@(input|output)"/g)) {
      const reference = `${name}@${direction}`
      if (used.has(reference)) continue
      used.add(reference)
      visit(schemas.get(name)?.[direction as Direction])
    }
  }
  visit(roots)
  return used
}

/** Returns the ids of schemas that differ as input and as output, or refer to such a schema. */
function differingNames(schemas: ReadonlyMap<string, Partial<Record<Direction, Json>>>): ReadonlySet<string> {
  const textOf = (schema: Json) => JSON.stringify(schema).replaceAll(/@(?:in|out)put"/g, '"')
  const both = [...schemas].flatMap(([name, { input, output }]) =>
    input === undefined || output === undefined ? [] : [{ name, input: textOf(input), output: textOf(output) }],
  )
  const differing = new Set(both.filter(({ input, output }) => input !== output).map(({ name }) => name))
  let size: number
  do {
    size = differing.size
    for (const { name, input } of both)
      if ([...differing].some((other) => input.includes(`${schemaPrefix}${other}"`))) differing.add(name)
  } while (differing.size > size)
  return differing
}

function resolveMarks(value: unknown, nameOf: (name: string, direction: Direction) => string): unknown {
  if (Array.isArray(value)) return value.map((member) => resolveMarks(member, nameOf))
  if (!isJson(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace(/([^/]+)@(input|output)$/, (_, id: string, direction: Direction) => nameOf(id, direction))
        : resolveMarks(member, nameOf),
    ]),
  )
}

/** Makes the reference of a schema point to the components of the document instead of the definitions of the schema. */
const markReference = (schema: Json, direction: Direction): Json =>
  typeof schema.$ref === 'string'
    ? { ...schema, $ref: schemaPrefix + componentName(schema.$ref.replace('#/$defs/', '')) + marks[direction] }
    : schema

/** Generated Go has a function `NewAgent` that creates an `Agent`, so no schema can have this name. */
const componentName = (id: string): string => id.replace(/^New(?=[A-Z])/, 'Create')

/** The text of a schema without what may differ where it is used. */
const keyOf = ({ description: _text, default: _value, examples: _examples, ...schema }: Json): string =>
  JSON.stringify(sorted(schema))

const isEqual = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

const idShapes = Object.fromEntries(
  Object.entries(idPrefixes).map(([prefix, noun]) => [`${pascalCase(noun.toLowerCase())}Id`, id(prefix as IdPrefix)]), // its own keys
)

/** Shapes that many others contain, by the name of their component. They are recognized by their JSON Schema. */
export const sharedShapes: Readonly<Record<string, z.ZodType>> = {
  ...idShapes,
  Scope: z.enum(scopes),
  JobStatus: z.enum(jobStates),
  Meter: z.enum(meters),
  Metadata: metadata(),
  MetadataPatch: metadataPatch(),
  MetadataFilter: metadataFilter(),
}

/** Descriptions of properties that mean the same in every schema, unless one says something else. */
export const commonProperties: Readonly<Record<string, string>> = {
  created_at: 'Time of creation',
  updated_at: 'Time of the last change',
  external_id: 'Your own identifier of the resource, by which lists can be filtered; null for none',
  metadata: 'Your own string pairs, by which lists can be filtered',
}

/** Describes the common properties of an object schema that have no description of their own. */
function describeCommon(schema: Json): Json {
  if (!isJson(schema.properties)) return schema
  const properties = Object.entries(schema.properties).map(([name, own]) => {
    const description = commonProperties[name]
    const lacksOne = isJson(own) && own.description === undefined && own.$ref === undefined
    return [name, lacksOne && description !== undefined ? { ...own, description } : own]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
