import type { EndpointEntry, EndpointTable } from '@wp/client'
import type { EndpointDefinition } from '@wp/contracts'
import * as contracts from '@wp/contracts'
import { z } from 'zod'
import {
  comment,
  createSchemaDeclarations,
  indent,
  inputOf,
  mayBeAbsent,
  type SchemaDeclarations,
  schemaName,
} from './declare-schema.ts'

/**
 * Returns the module that declares the type of the client: every method of the table, and the schemas by their names.
 */
export function declareClient(table: EndpointTable): string {
  const schemas = createSchemaDeclarations(nameSchemas())
  const surfaces = Map.groupBy(table, ({ id }) => id.slice(0, id.indexOf('.')))
  const members = [...surfaces].map(([name, entries]) => {
    const methods = entries.map((entry) => declareMethod(entry, schemas)).join('\n')
    const summary = contracts.surfaceSummaries[name as contracts.SurfaceName] // the ids of endpoints begin with a surface
    return `${comment(summary)}${name}: {\n${indent(methods)}\n}`
  })
  const client = `/** A method for every public endpoint: \`client.<surface>.<verb>({ params, query, body })\`. */
export interface Client {\n${indent(members.join('\n'))}\n}`
  return [header, client, ...schemas.declarations()].join('\n\n').concat('\n')
}

const header = `// Generated from the contracts of the platform.
import type { Call, ListCall } from '../call.ts'
import type { EventIterator } from '../follow-events.ts'
import type { CallOptions } from '../request.ts'
import type { UploadBody } from './types.ts'`

/** Returns the module that declares the other types of the contracts which the client names. */
export const declareTypes = (): string => `// Generated from the contracts of the platform.

/** The stable code of an error. */
export type ErrorCode = ${contracts.errorCodes.map((code) => `'${code}'`).join(' | ')}

/** An invalid field: a JSON pointer (RFC 6901) into the body, or \`?name\` for a query parameter. */
export interface FieldError {
  pointer: string
  detail: string
}

/** A request body that a client streams. */
export interface UploadBody {
  contentType: string
  /** A function opens the content again for every attempt; an iterable can be sent only once. */
  content: string | Uint8Array | Blob | AsyncIterable<Uint8Array> | (() => AsyncIterable<Uint8Array>)
}
`

/** Names a schema by the constant that exports it, if that has the name of a type. */
function nameSchemas(): Map<z.ZodType, string> {
  const named = Object.entries(contracts).flatMap(([name, value]) =>
    value instanceof z.ZodType && /^[A-Z]/.test(name) ? [[value, name] as const] : [],
  )
  return new Map(named.filter(([schema, name]) => schema.meta()?.id === undefined && schemaName(name) === name))
}

function declareMethod(entry: EndpointEntry, schemas: SchemaDeclarations): string {
  const definition = findDefinition(entry.id)
  const input = declareInput(definition, schemas)
  const method = (result: string) => `(${input}, options?: CallOptions): ${result}`
  const name = entry.id.slice(entry.id.indexOf('.') + 1)
  const text = [
    definition.summary,
    ...(definition.description === undefined ? [] : ['', definition.description]),
    '',
    `\`${definition.method} ${definition.path}\`${definition.scope === undefined ? '' : `, scope \`${definition.scope}\``}`,
  ].join('\n')
  if (entry.eventsPath === undefined)
    return `${comment(text)}${name}${method(declareResult(entry, definition, schemas))}`
  const stream = `${comment('Streams the events of the run from its beginning until it ends. A lost connection is resumed.')}stream${method(declareEvents(definition, schemas))}`
  return `${comment(text)}${name}: {\n${indent(`${method(declareResult(entry, definition, schemas))}\n${stream}`)}\n}`
}

function findDefinition(id: string): EndpointDefinition {
  const found = contracts.publicEndpoints.find(({ definition }) => definition.id === id)
  if (found === undefined) throw new Error(`the contracts have no endpoint ${id}`)
  return found.definition
}

/** The parts of a request. A part with a required member is required, and so is an input with such a part. */
function declareInput({ params, query, body, input }: EndpointDefinition, schemas: SchemaDeclarations): string {
  const bodyPart = input === 'stream' ? 'UploadBody' : body === undefined ? undefined : schemas.typeOf(body)
  const isOptionalBody = input !== 'stream' && body !== undefined && isOptional(body)
  const parts = [
    ...(params === undefined ? [] : [part('params', schemas.typeOf(params), isOptional(params))]),
    ...(query === undefined ? [] : [part('query', schemas.typeOf(query), isOptional(query))]),
    ...(bodyPart === undefined ? [] : [part('body', bodyPart, isOptionalBody)]),
  ]
  const isRequired = parts.some(({ optional }) => !optional)
  const members = parts.map(({ name, type, optional }) => `${name}${optional ? '?' : ''}: ${type}`)
  const type = members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`
  return `input${isRequired ? '' : '?'}: ${type}`
}

const part = (name: string, type: string, optional: boolean) => ({ name, type, optional })

/** Returns true if an empty object, or nothing, is a valid value. */
function isOptional(schema: z.ZodType): boolean {
  if (mayBeAbsent(schema)) return true
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod // every schema of the contracts is one of zod's
  if (def.type === 'union') return def.options.some((option) => isOptional(option as z.ZodType)) // zod types it by its core
  if (def.type === 'pipe') return isOptional(inputOf(def))
  if (def.type === 'object') return Object.values(def.shape).every((member) => mayBeAbsent(member as z.ZodType)) // see above
  return def.type === 'record'
}

function declareResult({ result }: EndpointEntry, definition: EndpointDefinition, schemas: SchemaDeclarations): string {
  const { ok, created, accepted, list, meta, bare } = definition
  const type = (schema: z.ZodType | undefined) => (schema === undefined ? 'undefined' : schemas.typeOf(schema))
  switch (result.kind) {
    case 'events':
      return declareEvents(definition, schemas)
    case 'file':
      return 'Promise<Response>'
    case 'page':
      return `ListCall<{ items: (${type(list)})[]; nextCursor: string | null${meta === undefined ? '' : `; meta: ${type(meta)}`} }>`
    case 'deleted':
      return 'Call<{ id: string }>'
    case 'bare':
      return `Call<${type(bare)}>`
    case 'data':
      return `Call<${type(created ?? accepted ?? ok)}>`
    case 'data-with-status': {
      const results = Object.entries({ ok, created, accepted }).filter(([, schema]) => schema !== undefined)
      return `Call<${results.map(([status, schema]) => `{ status: '${status}'; data: ${type(schema)} }`).join(' | ')}>`
    }
  }
}

const declareEvents = ({ eventData }: EndpointDefinition, schemas: SchemaDeclarations): string =>
  `EventIterator<${eventData === undefined ? 'unknown' : schemas.typeOf(eventData)}>`
