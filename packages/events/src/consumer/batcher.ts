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
   * Shared batches processed at once, whose events may be of several workspaces; default 0: each batch is of one
   * workspace. Events wait for a shared batch, but a workspace of which one leaves an event unfinished has batches of
   * its own until it has none.
   */
  maxShared?: number
}

interface BatcherOptions extends BatchLimits {
  /** Returns the group of an event; default its workspace. */
  groupOf?: (event: DomainEvent) => string
}

/** The workspaces of the next batch. */
interface ChosenWorkspaces {
  workspaces: readonly string[]
  isShared: boolean
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
      const chosen = chooseWorkspaces()
      if (chosen === undefined) return
      void runBatch(chosen).then(startBatches)
    }
  }

  /** Chooses the first workspace that is due, and with it all that may share its batch. */
  function chooseWorkspaces(): ChosenWorkspaces | undefined {
    const due = [...waiting.keys()].filter((workspaceId) => !activeWorkspaces.has(workspaceId))
    const isAlone = (workspaceId: string) => maxShared === 0 || separate.has(workspaceId)
    const first = due.find((workspaceId) => sharedBatches < maxShared || isAlone(workspaceId))
    if (first === undefined) return undefined
    if (isAlone(first)) return { workspaces: [first], isShared: false }
    const workspaces = due.filter((workspaceId) => !separate.has(workspaceId)).slice(0, maxBatchSize)
    return { workspaces, isShared: true }
  }

  async function runBatch({ workspaces, isShared }: ChosenWorkspaces): Promise<void> {
    const batch = takeEvents(workspaces)
    const taken = new Set(batch.map(({ group }) => group))
    batches += 1
    if (isShared) sharedBatches += 1
    for (const workspaceId of taken) {
      activeWorkspaces.add(workspaceId)
      separate.delete(workspaceId)
    }
    await processWaiting(batch, isShared)
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

  async function processWaiting(batch: readonly WaitingEvent[], isShared: boolean): Promise<void> {
    try {
      const results = await processBatch(
        batch.map(({ received }) => received),
        { isShared },
      )
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
