/** A parameter of an operation. */
export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  deprecated?: boolean
  schema: Record<string, unknown>
}

/** A body of one content type. */
export interface Media {
  schema?: unknown
  example?: unknown
  examples?: Record<string, unknown>
}

export interface Response {
  $ref?: string
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, Media>
  'x-problem-codes'?: string[]
}

/** An operation of an OpenAPI document. */
export interface Operation {
  operationId: string
  summary: string
  description?: string
  security: Record<string, string[]>[]
  'x-required-scope'?: string
  parameters: unknown[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}

/** Returns every operation of a document. */
export const operations = (document: Record<string, unknown>): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) => Object.values(path)) // the shape of every OpenAPI document

/** Returns the value a reference names; any other value as it is. */
export function resolve(document: unknown, value: unknown): unknown {
  const reference = typeof value === 'object' && value !== null && '$ref' in value ? value.$ref : undefined
  if (typeof reference !== 'string') return value
  let found = document
  for (const name of reference.slice(2).split('/')) found = (found as Record<string, unknown>)[name] // a path of objects
  return found
}

/** Yields every value of a JSON document with its pointer. */
export function* walk(value: unknown, pointer = '#'): Generator<[string, unknown]> {
  yield [pointer, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) yield* walk(member, `${pointer}/${name}`)
}
