import type { EventFilter } from '@wp/contracts'

/** Value of a filter that is being typed: null for no text, or the text itself as long as it is not JSON. */
export type TypedFilter = EventFilter | null | string

/** Parses the text of a filter. Its fields are validated with the form. */
export function parseFilter(text: string): TypedFilter {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return value as EventFilter // validated with the form, like every other field
  } catch {
    return text
  }
}

/** Returns the text of a stored filter. */
export const formatFilter = (filter: EventFilter | null): string =>
  filter === null ? '' : JSON.stringify(filter, null, 2)

/** Returns true if both filters have the same conditions in the same order. */
export const isSameFilter = (one: EventFilter | null, other: EventFilter | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Returns the first message of the errors of a filter, with the path of the member it is about. */
export function filterError(value: TypedFilter, errors: unknown): string | undefined {
  if (typeof value === 'string') return 'This is not valid JSON.'
  return firstError(errors, [])
}

function firstError(errors: unknown, path: readonly string[]): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined
  if ('message' in errors && typeof errors.message === 'string') return describe(path, errors.message)
  for (const [name, inner] of Object.entries(errors)) {
    const message = name === 'ref' ? undefined : firstError(inner, [...path, name])
    if (message !== undefined) return message
  }
  return undefined
}

const describe = (path: readonly string[], message: string): string =>
  path.length === 0 ? message : `${path.join(' › ')}: ${message}`
