/** As many groups are compared in a chart as there are colours. */
export const maxComparedGroups = 6

/** Reads the group keys of a search parameter. */
export function readGroups({ groups }: Record<string, unknown>): { groups?: string[] } {
  if (!Array.isArray(groups)) return {}
  const keys = groups.flatMap((key) => (typeof key === 'string' || typeof key === 'number' ? [String(key)] : []))
  return keys.length === 0 ? {} : { groups: [...new Set(keys)].slice(0, maxComparedGroups) }
}
