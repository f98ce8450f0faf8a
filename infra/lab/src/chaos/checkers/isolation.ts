import type { Entry } from '../history.ts'
import type { Checker } from './check-result.ts'

/** Checks that no read and no delivery of a workspace contains a value of another. */
export const checkIsolation: Checker = (history) => {
  const owners = new Map<string, string>()
  for (const entry of history) if (entry.operation === 'add') owners.set(entry.value, entry.workspace)
  let checked = 0
  const violations = history.flatMap((entry) => {
    const values = valuesSeenBy(entry)
    if (values === undefined) return []
    checked += 1
    return values.flatMap((value) => {
      const owner = owners.get(value)
      if (owner === undefined || owner === entry.workspace) return []
      return [`${entry.workspace} saw ${value} of ${owner} by ${entry.operation} (entry ${entry.index})`]
    })
  })
  return { checked, violations }
}

function valuesSeenBy(entry: Entry): readonly string[] | undefined {
  if (entry.operation === 'receive') return [entry.value]
  return entry.operation === 'read-set' || entry.operation === 'read-foreign' ? entry.values : undefined
}
