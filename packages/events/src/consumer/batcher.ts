import type { EventProcessor, ProcessingResult, ReceivedEvent } from './event-processor.ts'

interface WaitingEvent {
  received: ReceivedEvent
  resolve(result: ProcessingResult): void
  reject(error: unknown): void
}

/**
 * Settles events in batches of one workspace: what is delivered while others are being handled waits and is handled
 * together, so an event alone is not delayed and many cost little each. Two batches of one workspace are never under
 * way at once; workspaces take turns.
 *
 * @param maxConcurrent batches under way at once
 * @param maxBatchSize events of a batch
 */
export function createBatcher(
  processBatch: EventProcessor['processBatch'],
  { maxConcurrent, maxBatchSize }: { maxConcurrent: number; maxBatchSize: number },
): EventProcessor['process'] {
  const waiting = new Map<string, WaitingEvent[]>()
  const activeWorkspaces = new Set<string>()
  let isScheduled = false

  /** After what was delivered in the same turn has arrived, too. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      startBatches()
    })
  }

  function startBatches(): void {
    for (const [workspaceId, all] of waiting) {
      if (activeWorkspaces.size >= maxConcurrent) return
      if (activeWorkspaces.has(workspaceId)) continue
      waiting.delete(workspaceId)
      // Who has more waits behind the others.
      if (all.length > maxBatchSize) waiting.set(workspaceId, all.slice(maxBatchSize))
      activeWorkspaces.add(workspaceId)
      void processWaiting(all.slice(0, maxBatchSize)).then(() => {
        activeWorkspaces.delete(workspaceId)
        startBatches()
      })
    }
  }

  async function processWaiting(batch: readonly WaitingEvent[]): Promise<void> {
    try {
      const results = await processBatch(batch.map(({ received }) => received))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? 'settled')
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (event, meta) =>
    new Promise((resolve, reject) => {
      const all = waiting.get(event.workspace_id) ?? []
      all.push({ received: { event, meta }, resolve, reject })
      waiting.set(event.workspace_id, all)
      schedule()
    })
}
