import type { DomainEvent } from '@wp/contracts'
import type { EventProcessor, ProcessingResult } from './event-processor.ts'
import type { EventMetadata, ReceivedEvent } from './received-event.ts'

interface WaitingEvent {
  group: string
  received: ReceivedEvent
  resolve(result: ProcessingResult): void
  reject(error: unknown): void
}

export interface BatchLimits {
  /** Batches processed at once. */
  maxConcurrent: number
  /** Events in a batch. */
  maxBatchSize: number
  /**
   * Batches of several workspaces processed at once; default 0: each batch is of one workspace. A workspace of which
   * such a batch leaves an event unfinished has batches of its own until it has none.
   */
  maxShared?: number
}

interface BatcherOptions extends BatchLimits {
  /** Returns the group of an event; default its workspace. */
  groupOf?: (event: DomainEvent) => string
}

/** Part of a batch of several workspaces that the events of one may take. */
const sharedBatchDivisor = 4

/**
 * Returns a function that processes events in batches of one workspace, or of another group. Events that arrive while
 * others are processed form the next batch, so a single event is not delayed. The events of a workspace are in one
 * batch at a time, and the workspaces take turns. Longer than most functions: its steps share the waiting events.
 */
export function createBatcher(
  processBatch: EventProcessor['processBatch'],
  { maxConcurrent, maxBatchSize, maxShared = 0, groupOf = ({ workspace_id }) => workspace_id }: BatcherOptions,
): (event: DomainEvent, metadata: EventMetadata) => Promise<ProcessingResult> {
  /** By workspace, in the order in which the workspaces are due. */
  const waiting = new Map<string, WaitingEvent[]>()
  const activeWorkspaces = new Set<string>()
  /** Workspaces that share no batch with others. */
  const separate = new Set<string>()
  let batches = 0
  let sharedBatches = 0
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
    while (batches < maxConcurrent) {
      const workspaces = chooseWorkspaces()
      if (workspaces.length === 0) return
      void runBatch(workspaces).then(startBatches)
    }
  }

  /** Returns the workspaces of the next batch: the first that is due, and those after it that may share its batch. */
  function chooseWorkspaces(): string[] {
    const due = [...waiting.keys()].filter((workspaceId) => !activeWorkspaces.has(workspaceId))
    const [first] = due
    if (first === undefined) return []
    if (sharedBatches >= maxShared || separate.has(first)) return [first]
    return due.filter((workspaceId) => !separate.has(workspaceId)).slice(0, maxBatchSize)
  }

  async function runBatch(workspaces: readonly string[]): Promise<void> {
    const batch = takeEvents(workspaces)
    const taken = new Set(batch.map(({ group }) => group))
    const isShared = taken.size > 1
    batches += 1
    if (isShared) sharedBatches += 1
    for (const workspaceId of taken) {
      activeWorkspaces.add(workspaceId)
      separate.delete(workspaceId)
    }
    await processWaiting(batch)
    for (const workspaceId of taken) activeWorkspaces.delete(workspaceId)
    if (isShared) sharedBatches -= 1
    batches -= 1
  }

  /** Takes the events of a batch. Those that remain of a workspace queue up behind the other workspaces. */
  function takeEvents(workspaces: readonly string[]): WaitingEvent[] {
    const share = workspaces.length > 1 ? Math.max(1, Math.floor(maxBatchSize / sharedBatchDivisor)) : maxBatchSize
    const batch: WaitingEvent[] = []
    for (const workspaceId of workspaces) {
      const events = waiting.get(workspaceId) ?? []
      const count = Math.min(share, maxBatchSize - batch.length)
      if (count === 0) break
      batch.push(...events.slice(0, count))
      waiting.delete(workspaceId)
      if (events.length > count) waiting.set(workspaceId, events.slice(count))
    }
    return batch
  }

  async function processWaiting(batch: readonly WaitingEvent[]): Promise<void> {
    try {
      const results = await processBatch(batch.map(({ received }) => received))
      for (const [index, { group, resolve }] of batch.entries()) {
        const result = results[index] ?? 'processed'
        if (result === 'more') separate.add(group)
        resolve(result)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (event, metadata) =>
    new Promise((resolve, reject) => {
      const group = groupOf(event)
      const events = waiting.get(group) ?? []
      events.push({ group, received: { event, metadata }, resolve, reject })
      waiting.set(group, events)
      schedule()
    })
}
