import type { Delivery, Handling, Outcome } from './handling.ts'

interface Waiting {
  delivery: Delivery
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/**
 * Settles events in batches of one workspace: what is delivered while others are being handled waits and is handled
 * together, so an event alone is not delayed and many cost little each. Two batches of one workspace are never under
 * way at once; workspaces take turns.
 *
 * @param lanes batches under way at once
 * @param most events of a batch
 */
export function createGatherer(
  settleAll: Handling['settleAll'],
  { lanes, most }: { lanes: number; most: number },
): Handling['settle'] {
  const waiting = new Map<string, Waiting[]>()
  const underWay = new Set<string>()
  let isAwaited = false

  /** After what was delivered in the same turn has arrived, too. */
  function soon(): void {
    if (isAwaited) return
    isAwaited = true
    setImmediate(() => {
      isAwaited = false
      begin()
    })
  }

  function begin(): void {
    for (const [workspaceId, all] of waiting) {
      if (underWay.size >= lanes) return
      if (underWay.has(workspaceId)) continue
      waiting.delete(workspaceId)
      // Who has more waits behind the others.
      if (all.length > most) waiting.set(workspaceId, all.slice(most))
      underWay.add(workspaceId)
      void settle(all.slice(0, most)).then(() => {
        underWay.delete(workspaceId)
        begin()
      })
    }
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await settleAll(batch.map(({ delivery }) => delivery))
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] ?? 'settled')
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (event, meta) =>
    new Promise((resolve, reject) => {
      const all = waiting.get(event.workspace_id) ?? []
      all.push({ delivery: { event, meta }, resolve, reject })
      waiting.set(event.workspace_id, all)
      soon()
    })
}
