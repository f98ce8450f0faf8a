import type { z } from 'zod'

/** Writes TypeScript types of zod schemas: those of a value before it is parsed, as clients send and receive it. */
export interface SchemaDeclarations {
  /** Returns the type of a schema: its name, or the type itself if it has no name. */
  typeOf(schema: z.ZodType): string
  /** Returns the declarations of the named schemas that were used. */
  declarations(): string[]
}

/**
 * Longer than most functions: types refer to each other, and share what is declared.
 * @param names the names of schemas; others are named by their id in the OpenAPI document
 */
export function createSchemaDeclarations(names: ReadonlyMap<z.ZodType, string>): SchemaDeclarations {
  const declared = new Map<string, string>()
  const owners = new Map<string, z.ZodType>()

  function typeOf(schema: z.ZodType): string {
    const name = names.get(schema) ?? schemaName(schema.meta()?.id)
    if (name === undefined) return write(schema)
    if ((owners.get(name) ?? schema) !== schema) throw new Error(`two schemas have the name ${name}`)
    if (!declared.has(name)) {
      owners.set(name, schema)
      declared.set(name, '') // a schema may contain itself
      const type = write(schema)
      const head = isObjectType(type) ? `export interface ${name} ` : `export type ${name} = `
      declared.set(name, `${comment(schema.meta()?.description)}${head}${type}`)
    }
    return name
  }

  function write(schema: z.ZodType): string {
    const { def } = (schema as unknown as z.core.$ZodTypes)._zod // every schema of the contracts is one of zod's
    switch (def.type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
      case 'undefined':
      case 'unknown':
      case 'never':
        return def.type
      case 'enum':
        return union(Object.values(def.entries).map((value) => literal(value)))
      case 'literal':
        return union(def.values.map((value) => literal(value)))
      case 'array':
        return `${grouped(typeOf(inner(def.element)))}[]`
      case 'optional':
      case 'default':
      case 'prefault':
        return union([typeOf(inner(def.innerType)), 'undefined'])
      case 'nullable':
        return union([typeOf(inner(def.innerType)), 'null'])
      case 'nonoptional':
      case 'readonly':
      case 'catch':
        return typeOf(inner(def.innerType))
      case 'union':
        return union(def.options.map((option) => typeOf(inner(option))))
      case 'intersection':
        return `${grouped(typeOf(inner(def.left)))} & ${grouped(typeOf(inner(def.right)))}`
      case 'record': {
        const type = `Record<${typeOf(inner(def.keyType))}, ${typeOf(inner(def.valueType))}>`
        return def.partial === true ? `Partial<${type}>` : type
      }
      case 'pipe':
        return typeOf(inputOf(def))
      case 'lazy':
        return typeOf(inner(def.getter()))
      case 'object':
        return writeObject(def)
      case 'custom':
        // The fields of rows, the only custom schema; see `rowData` in the contracts.
        if (schema.meta()?.type === 'object') return 'Record<string, unknown>'
        throw new Error('no TypeScript type is known for a custom schema that is no object')
      default:
        throw new Error(`no TypeScript type is known for a schema of type ${def.type}`)
    }
  }

  function writeObject({ shape, catchall }: z.core.$ZodObjectDef): string {
    const members = Object.entries(shape).map(([name, member]) => {
      const optional = mayBeAbsent(inner(member)) ? '?' : ''
      return `${comment(inner(member).meta()?.description)}${propertyName(name)}${optional}: ${typeOf(inner(member))}`
    })
    const rest = catchall === undefined ? 'never' : typeOf(inner(catchall))
    if (rest === 'unknown') members.push('[name: string]: unknown')
    const type = members.length === 0 ? 'Record<never, never>' : `{\n${indent(members.join('\n'))}\n}`
    // An index signature of another type would have to include the types of the members.
    return rest === 'never' || rest === 'unknown' ? type : `${type} & { [name: string]: ${rest} }`
  }

  return { typeOf, declarations: () => [...declared.values()] }
}

/** Names of other types of the package and of TypeScript. */
const reservedNames: ReadonlySet<string> = new Set(['Record', 'Response', 'Client', 'ErrorCode', 'Credential'])

/**
 * Returns the name that a schema is declared under: another one if the package or TypeScript has a type of this name.
 */
export const schemaName = (name: string | undefined): string | undefined =>
  name !== undefined && reservedNames.has(name) ? `Data${name}` : name

/** Returns the schema of the input of a pipe. A preprocessed value is checked and goes on unchanged. */
export const inputOf = (def: z.core.$ZodPipeDef): z.ZodType =>
  inner(def.in._zod.def.type === 'transform' ? def.out : def.in)

/** Returns true if a member with the schema may be left out. */
export function mayBeAbsent(schema: z.ZodType): boolean {
  const { def, optin } = (schema as unknown as z.core.$ZodTypes)._zod // every schema of the contracts is one of zod's
  return def.type === 'pipe' ? mayBeAbsent(inputOf(def)) : optin !== undefined
}

/** zod types the schemas inside a schema by their core, which all of its schemas have. */
const inner = (schema: z.core.$ZodType): z.ZodType => schema as z.ZodType

const literal = (value: unknown): string => (typeof value === 'string' ? quote(value) : String(value))

const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const propertyName = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : quote(name))

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

/** True for one object type, and false for a union that begins and ends with one. */
const isObjectType = (type: string): boolean => type.startsWith('{') && type.indexOf('\n}') === type.length - 2

const grouped = (type: string): string => (/[|&]/.test(type) && !isObjectType(type) ? `(${type})` : type)

/** Indents the lines of a text. */
export const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')

/** Returns a doc comment with a line break after it; empty without text. */
export function comment(text: string | undefined): string {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}
