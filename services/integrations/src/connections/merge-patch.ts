/** JSON Merge Patch (RFC 7396): null removes, objects are merged, anything else replaces. */
export function mergePatch(
  target: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    const current = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(isObject(current) ? current : {}, value) : value)
  }
  return Object.fromEntries(merged)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
