import { pairOperations, type ReceiveEntry } from '../history.ts'
import type { Checker } from './check-result.ts'

/**
 * Checks that strictly ordered deliveries arrive in the order of the changes: if one change ended before another began,
 * it is received first. Repeated deliveries of a value are ignored, because deliveries are made at least once.
 */
export const checkOrder: Checker = (history) => {
  const adds = pairOperations(history, 'add').filter(({ result }) => result === 'ok')
  const changes = new Map(adds.map((add) => [add.entry.value, add]))
  const received = history.filter(
    (entry): entry is ReceiveEntry => entry.operation === 'receive' && entry.ordering === 'strict',
  )
  const streams = Map.groupBy(received, ({ workspace, object }) => `${workspace} ${object}`)
  const violations: string[] = []
  let checked = 0
  for (const stream of streams.values()) {
    const seen = new Set<string>()
    let latest = { invokedAt: -1, value: '' }
    for (const { value, workspace, index } of stream) {
      const change = changes.get(value)
      if (change === undefined || seen.has(value)) continue
      seen.add(value)
      checked += 1
      if (change.completedAt < latest.invokedAt)
        violations.push(`${value} was received after ${latest.value}, which is later, in ${workspace} (entry ${index})`)
      if (change.invokedAt > latest.invokedAt) latest = { invokedAt: change.invokedAt, value }
    }
  }
  return { checked, violations }
}
