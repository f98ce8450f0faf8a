/**
 * Applies a JSON Merge Patch (RFC 7396) to an object and returns the result; neither argument is changed.
 * `null` removes a member, an object is merged with the member it names, any other value replaces it.
 */
export function mergePatch<Value>(
  target: Readonly<Record<string, Value>>,
  patch: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const merged = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergeValue(merged.get(name), value))
  }
  // fromEntries defines `__proto__` as an ordinary member instead of setting the prototype
  return Object.fromEntries(merged)
}

function mergeValue<Value>(current: unknown, value: Value): Value {
  if (!isObject(value)) return value
  return mergePatch<unknown>(isObject(current) ? current : {}, value) as Value // a merged object has the type of its patch
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
