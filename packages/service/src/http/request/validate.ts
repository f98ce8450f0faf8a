import {
  bodyPointer,
  type EndpointDefinition,
  parseQuery,
  problem,
  queryPointer,
  validateInput,
  validationProblem,
} from '@wp/contracts'
import { z } from 'zod'

/** The input of a request before validation. */
export interface RawInput {
  params: Record<string, string>
  /** Of the URL, without the question mark. */
  query: string
  body: unknown
}

/**
 * Validates query, body and path against the contract. Errors of query and body (400, with pointers) come before a path
 * that no resource can have (404).
 * @throws Problem
 */
export function validate(
  definition: EndpointDefinition,
  raw: RawInput,
): { params: unknown; query: unknown; body: unknown } {
  const query = parseDeclaredQuery(definition, raw.query)
  const body = parseBody(definition, raw.body)
  return { params: definition.params === undefined ? {} : parsePath(definition.params, raw.params), query, body }
}

const emptyObject = z.strictObject({})

function parseBody(definition: EndpointDefinition, body: unknown): unknown {
  if (definition.input === 'stream') return body
  if (definition.body !== undefined) return parseBodyAs(definition.body, body, definition)
  if (body !== undefined) parseBodyAs(emptyObject, body, definition)
  return undefined
}

function parsePath(schema: z.ZodObject, params: Record<string, string>): unknown {
  const result = schema.safeParse(params)
  if (!result.success) {
    const { path, message } = result.error.issues[0] ?? { path: [], message: '' }
    throw problem('not_found', { detail: `Not found: ${path.join('.')} ${message}` })
  }
  return result.data
}

function parseDeclaredQuery({ query: schema, limitClass, repeatable = [] }: EndpointDefinition, text: string): unknown {
  if (limitClass === 'token') return {} // RFC 6749 section 3.2: unknown parameters are ignored
  const sent = new URLSearchParams(text)
  const query = schema === undefined || isStrict(schema) ? sent : withoutUnknown(schema, sent)
  const { values, duplicates } = parseQuery(query)
  const repeated = duplicates.filter((name) => !repeatable.includes(name))
  const lists = duplicates.filter((name) => repeatable.includes(name)).map((name) => [name, query.getAll(name)])
  const given: Record<string, unknown> = { ...values, ...Object.fromEntries(lists) }
  if (repeated.length > 0)
    throw validationProblem(repeated.map((name) => ({ pointer: `?${name}`, detail: 'must occur once' })))
  for (const [name, value] of query) {
    if (isGarbled(name + value, text)) throw validationProblem([{ pointer: `?${name}`, detail: 'must be UTF-8' }])
    if (value.includes('\0')) throw validationProblem([{ pointer: `?${name}`, detail: 'must not contain NUL' }])
    if (name.endsWith('[__proto__]'))
      throw validationProblem([{ pointer: `?${name}`, detail: 'must not be named __proto__' }])
  }
  if (schema === undefined) {
    const unknown = Object.keys(given)
    if (unknown.length > 0)
      throw validationProblem(
        unknown.map((name) => ({ pointer: `?${name}`, detail: 'is not a parameter of this endpoint' })),
      )
    return {}
  }
  const result = validateInput(schema, given, queryPointer)
  if (!result.success) throw validationProblem(result.errors)
  // JavaScript makes numbers of `0x10`, `1e2` and the empty text too.
  const mistaken = Object.entries(result.data).filter(
    ([name, value]) => typeof value === 'number' && name in given && !decimalNumber.test(`${given[name]}`),
  )
  if (mistaken.length > 0)
    throw validationProblem(mistaken.map(([name]) => ({ pointer: `?${name}`, detail: 'must be a number in digits' })))
  return result.data
}

const decimalNumber = /^-?\d+(?:\.\d+)?$/

const isStrict = (schema: z.ZodObject): boolean => schema.def.catchall instanceof z.ZodNever

/** Returns true for text with octets that are not UTF-8: `URLSearchParams` replaces them. */
const isGarbled = (decoded: string, encoded: string): boolean =>
  decoded.includes('\ufffd') && !/%ef%bf%bd/i.test(encoded)

/** Removes the parameters that a schema ignores, so that they may occur twice and hold any text. */
const withoutUnknown = ({ shape }: z.ZodObject, query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => Object.hasOwn(shape, name)))

function parseBodyAs(schema: z.ZodType, body: unknown, definition: EndpointDefinition): unknown {
  const result = validateInput(schema, body)
  if (result.success) return result.data
  throw validationProblem(result.errors, definition.limitClass === 'token' ? 'invalid_request' : 'validation_failed')
}

/**
 * Validates a member of a body whose shape depends on state that only the operation knows.
 * @param pointer JSON pointer of the member
 * @throws Problem `validation_failed`
 */
export function validateMember<S extends z.ZodType>(schema: S, value: unknown, pointer: string): z.output<S> {
  const result = validateInput(schema, value, (path) => pointer + bodyPointer(path))
  if (result.success) return result.data
  throw validationProblem(result.errors)
}
