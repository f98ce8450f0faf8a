/**
 * Returns the merge patch (RFC 7396) that turns one object into another: what is gone becomes null, also in nested
 * objects; an array is replaced.
 */
export function mergePatch(before: object, after: object): Record<string, unknown> {
  const [old, next] = [new Map(Object.entries(before)), new Map<string, unknown>(Object.entries(after))]
  const removed = [...old.keys()].filter((name) => !next.has(name)).map((name) => [name, null] as const)
  const changed = [...next]
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)))
    .map(([name, value]) => [name, patchMember(old.get(name), value)] as const)
  return Object.fromEntries([...removed, ...changed])
}

const patchMember = (before: unknown, after: unknown): unknown =>
  isObject(before) && isObject(after) ? mergePatch(before, after) : after

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
