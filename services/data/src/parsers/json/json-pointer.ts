/** Returns the reference tokens of a JSON Pointer (RFC 6901, section 4). */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

export const isSamePath = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && isPathPrefix(one, other)

export const isPathPrefix = (prefix: readonly string[], path: readonly string[]): boolean =>
  prefix.every((token, index) => token === path[index])

/** Returns the value at `path` within `value`, undefined if there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found: unknown = value
  for (const token of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, token)) return undefined
    found = (found as Record<string, unknown>)[token] // it has this member
  }
  return found
}
