import type { DomainEvent } from '@wp/contracts'
import type { EventProcessor, ProcessingResult } from './event-processor.ts'
import type { EventMetadata, ReceivedEvent } from './received-event.ts'

interface WaitingEvent {
  received: ReceivedEvent
  resolve(result: ProcessingResult): void
  reject(error: unknown): void
}

interface BatcherOptions {
  maxConcurrent: number
  maxBatchSize: number
  groupOf?: (event: DomainEvent) => string
}

/**
 * Returns a function that processes events in batches of one workspace, or of another group. Events that arrive while others are processed
 * form the next batch, so a single event is not delayed. At most one batch per workspace is processed at a time, and the
 * workspaces take turns.
 *
 * @param maxConcurrent maximum number of batches processed at once
 * @param maxBatchSize maximum number of events in a batch
 * @param groupOf returns the group of an event; default its workspace
 */
export function createBatcher(
  processBatch: EventProcessor['processBatch'],
  { maxConcurrent, maxBatchSize, groupOf = ({ workspace_id }) => workspace_id }: BatcherOptions,
): (event: DomainEvent, metadata: EventMetadata) => Promise<ProcessingResult> {
  /** By workspace, in the order in which the workspaces are due. */
  const waiting = new Map<string, WaitingEvent[]>()
  const activeWorkspaces = new Set<string>()
  let isScheduled = false

  /** Starts batches after the other events of the same event-loop turn have been added. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      startBatches()
    })
  }

  function startBatches(): void {
    for (const [workspaceId, events] of waiting) {
      if (activeWorkspaces.size >= maxConcurrent) return
      if (activeWorkspaces.has(workspaceId)) continue
      waiting.delete(workspaceId)
      // The remaining events queue up behind the other workspaces.
      if (events.length > maxBatchSize) waiting.set(workspaceId, events.slice(maxBatchSize))
      activeWorkspaces.add(workspaceId)
      void processWaiting(events.slice(0, maxBatchSize)).then(() => {
        activeWorkspaces.delete(workspaceId)
        startBatches()
      })
    }
  }

  async function processWaiting(batch: readonly WaitingEvent[]): Promise<void> {
    try {
      const results = await processBatch(batch.map(({ received }) => received))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? 'processed')
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (event, metadata) =>
    new Promise((resolve, reject) => {
      const group = groupOf(event)
      const events = waiting.get(group) ?? []
      events.push({ received: { event, metadata }, resolve, reject })
      waiting.set(group, events)
      schedule()
    })
}
