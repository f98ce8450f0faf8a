import { type EndpointDefinition, type FieldError, type Problem, parseQuery, problem } from '@wp/contracts'
import { z } from 'zod'

/** The input of a request before validation. */
export interface RawInput {
  params: Record<string, string>
  query: URLSearchParams
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
  if (!result.success) throw problem('not_found')
  return result.data
}

function parseDeclaredQuery({ query: schema, limitClass }: EndpointDefinition, query: URLSearchParams): unknown {
  if (limitClass === 'token') return {} // RFC 6749 section 3.2: unknown parameters are ignored
  const { values: given, duplicates: repeated } = parseQuery(query)
  if (repeated.length > 0)
    throw validationProblem(repeated.map((name) => ({ pointer: `?${name}`, detail: 'must occur once' })))
  for (const [name, value] of query)
    if (value.includes('\0')) throw validationProblem([{ pointer: `?${name}`, detail: 'must not contain NUL' }])
  if (schema === undefined) {
    const unknown = Object.keys(given)
    if (unknown.length > 0)
      throw validationProblem(
        unknown.map((name) => ({ pointer: `?${name}`, detail: 'is not a parameter of this endpoint' })),
      )
    return {}
  }
  const result = schema.safeParse(given)
  if (!result.success) throw validationProblem(errorsOf(result.error, queryPointer))
  return result.data
}

function parseBodyAs(schema: z.ZodType, body: unknown, definition: EndpointDefinition): unknown {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw validationProblem(
    errorsOf(result.error, bodyPointer),
    definition.limitClass === 'token' ? 'invalid_request' : 'validation_failed',
  )
}

type Issue = z.core.$ZodIssue

/** Limit of the errors in one response: a body of a megabyte can have half a million. */
const maxErrors = 100

const errorsOf = ({ issues }: z.ZodError, toPointer: ToPointer): FieldError[] =>
  issues.slice(0, maxErrors).flatMap((issue) => fieldErrors(issue, toPointer))

/**
 * Validates a member of a body whose shape depends on state that only the operation knows.
 * @param pointer JSON pointer of the member
 * @throws Problem `validation_failed`
 */
export function validateMember<S extends z.ZodType>(schema: S, value: unknown, pointer: string): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw validationProblem(errorsOf(result.error, (path) => pointer + bodyPointer(path)))
}

type ToPointer = (path: readonly PropertyKey[]) => string

/** Turns an issue of zod into errors with pointers; an issue about unknown keys becomes one error per key. */
function fieldErrors(issue: Issue, toPointer: ToPointer): FieldError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, maxErrors)
      .map((key) => ({ pointer: toPointer([...issue.path, key]), detail: 'is not a known field' }))
  if (issue.code === 'invalid_union') {
    const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0]
    if (closest !== undefined && closest.length > 0 && closest.some((inner) => inner.path.length > 0))
      return closest.flatMap((inner) => fieldErrors({ ...inner, path: [...issue.path, ...inner.path] }, toPointer))
  }
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  return [{ pointer: toPointer(issue.path), detail: missing ? 'is required' : issue.message }]
}

const queryPointer = (path: readonly PropertyKey[]) => `?${path.map(String).join('.')}`
const bodyPointer = (path: readonly PropertyKey[]) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

function validationProblem(
  errors: FieldError[],
  code: 'validation_failed' | 'invalid_request' = 'validation_failed',
): Problem {
  const [first] = errors
  return problem(code, {
    detail: first === undefined ? 'The request is not valid' : `${first.pointer || 'The body'}: ${first.detail}`,
    errors: errors.slice(0, maxErrors),
  })
}
