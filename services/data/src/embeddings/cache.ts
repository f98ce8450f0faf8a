/** Values that hold for a time; the least recently used leave when there are too many. */
export interface Cache<Value> {
  has(name: string): boolean
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  forget(name: string): void
}

export function createCache<Value>(options: { most: number; lastMs: number; now: () => number }): Cache<Value> {
  const { most, lastMs, now } = options
  const kept = new Map<string, { value: Value; until: number }>()
  function find(name: string) {
    const entry = kept.get(name)
    if (entry !== undefined && entry.until > now()) return entry
    kept.delete(name)
    return undefined
  }
  return {
    has: (name) => find(name) !== undefined,
    get(name) {
      const entry = find(name)
      if (entry === undefined) return undefined
      // Maps keep the order of insertion: what is used goes to the end.
      kept.delete(name)
      kept.set(name, entry)
      return entry.value
    },
    set(name, value) {
      kept.delete(name)
      kept.set(name, { value, until: now() + lastMs })
      for (const first of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(first)
      }
    },
    forget: (name) => void kept.delete(name),
  }
}
