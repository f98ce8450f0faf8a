/** JSON Schema and OpenAPI objects are read generically: the document may use any keyword. */
export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a value as an object; an empty one if it is none. */
export const objectOf = (value: unknown): Json => (isJson(value) ? value : {})

/** Returns a value as an array; an empty one if it is none. */
export const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Returns a value if it is a string that is not empty. */
export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Follows a reference within the document, also through other references. @throws if it leads nowhere */
export function resolve(document: Json, value: unknown): Json {
  let current = objectOf(value)
  for (let reference = current.$ref; typeof reference === 'string'; reference = current.$ref) {
    const { $ref: _reference, ...siblings } = current
    let target: unknown = document
    for (const name of reference.slice(2).split('/'))
      target = objectOf(target)[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')]
    if (!isJson(target)) throw new Error(`the document has no ${reference}`)
    current = { ...target, ...siblings }
  }
  return current
}
