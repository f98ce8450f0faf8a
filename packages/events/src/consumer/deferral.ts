import type { DomainEvent } from '@wp/contracts'
import type { Database } from '@wp/database'
import { createLoop, type Log, type Metrics, type PassResult, type Worker } from '@wp/runtime'
import {
  type DeferredEvent,
  deleteDeferredEvents,
  findDeferringWorkspaces,
  insertDeferredEvents,
  leaseDeferredEvents,
  releaseDeferredEvent,
  renewDeferredEvents,
} from './deferred-event-table.ts'
import type { EventProcessor } from './event-processor.ts'
import type { EventMetadata } from './received-event.ts'

export interface Deferral {
  /** Processes an event now, or stores it to be processed later. Either way its message can be acknowledged. */
  process: EventProcessor['process']
  /** Processes the stored events. */
  worker: Worker
}

/** Workspaces whose stored events one pass looks for. */
const maxWorkspacesPerPass = 64
/** Events that one statement stores or deletes. */
const maxStatementEvents = 100
/** Pause between passes while events are stored: some may be those of a replica that has died. */
const recheckMs = 1_000
/** Pause after an error of the infrastructure, for which no attempt is counted. */
const infrastructurePauseMs = 1_000

/**
 * Limits the events of one workspace that are in progress in this process. The broker hands out a limited number of
 * unacknowledged events, in the order of the stream: without this limit, many events of one workspace that take long
 * would occupy all of these places, and the events of the others would wait behind them. Further events of the
 * workspace are stored, acknowledged and processed as earlier ones end, by any replica. Longer than most functions: its
 * steps share the counts by workspace.
 */
export function createDeferral(options: {
  worker: Database['worker']
  consumer: string
  process: EventProcessor['process']
  maxPerWorkspace: number
  pollMs: number
  log: Log
  metrics: Metrics
}): Deferral {
  const { worker, consumer, maxPerWorkspace, log, metrics } = options
  const inProgress = new Map<string, number>()
  /** By the id of the event. */
  const tasks = new Map<string, Promise<void>>()
  const loop = createLoop({
    name: `deferred events of ${consumer}`,
    pass,
    pollMs: options.pollMs,
    log,
    onStopped: () => Promise.all(tasks.values()),
  })
  let lastWorkspace = ''

  const store = combineCalls<DeferredEvent>(
    (events) => insertDeferredEvents(worker, consumer, events),
    maxStatementEvents,
  )
  const remove = combineCalls<string>((ids) => deleteDeferredEvents(worker, consumer, ids), maxStatementEvents)
  const roomOf = (workspaceId: string) => maxPerWorkspace - (inProgress.get(workspaceId) ?? 0)

  async function processCounted(event: DomainEvent, metadata: EventMetadata) {
    const { workspace_id: workspaceId } = event
    inProgress.set(workspaceId, (inProgress.get(workspaceId) ?? 0) + 1)
    try {
      return await options.process(event, metadata)
    } finally {
      const left = (inProgress.get(workspaceId) ?? 1) - 1
      if (left > 0) inProgress.set(workspaceId, left)
      else inProgress.delete(workspaceId)
    }
  }

  /** Starts the stored events of workspaces that have room, and continues with the workspaces after them. */
  async function pass(): Promise<PassResult> {
    if (tasks.size > 0) await renewDeferredEvents(worker, consumer, [...tasks.keys()])
    const found = await findDeferringWorkspaces(worker, consumer, lastWorkspace, maxWorkspacesPerPass)
    lastWorkspace = found.length === maxWorkspacesPerPass ? (found.at(-1) ?? '') : ''
    for (const workspaceId of found) {
      const room = roomOf(workspaceId)
      if (room <= 0) continue
      for (const deferred of await leaseDeferredEvents(worker, consumer, workspaceId, room)) start(deferred)
    }
    if (lastWorkspace !== '') return 'more'
    return found.length === 0 ? 'idle' : Math.min(recheckMs, options.pollMs)
  }

  function start(deferred: DeferredEvent): void {
    if (tasks.has(deferred.event.id)) return // its lease has ended
    const task = processDeferred(deferred)
      .catch((error: unknown) => {
        log.warn(
          { event: 'deferred_event.delayed', err: error, consumer, event_id: deferred.event.id },
          'failed to process a deferred event; it is processed when its lease has expired',
        )
      })
      .finally(() => {
        tasks.delete(deferred.event.id)
        // Several at once: each pass costs two statements.
        if (roomOf(deferred.event.workspace_id) >= maxPerWorkspace / 2) loop.wake()
      })
    tasks.set(deferred.event.id, task)
  }

  async function processDeferred({ event, metadata }: DeferredEvent): Promise<void> {
    try {
      const result = await processCounted(event, metadata)
      if (result === 'processed') await remove(event.id)
      else await releaseDeferredEvent(worker, consumer, event.id, result.retryMs)
    } catch (error) {
      await releaseDeferredEvent(worker, consumer, event.id, infrastructurePauseMs)
      throw error
    }
  }

  return {
    async process(event, metadata) {
      if (roomOf(event.workspace_id) > 0) return await processCounted(event, metadata)
      await store({ event, metadata })
      metrics.count('events_deferred_total', { consumer })
      return 'processed'
    },
    worker: loop,
  }
}

interface WaitingCall<Item> {
  item: Item
  resolve(): void
  reject(error: unknown): void
}

/**
 * Returns a function that processes items: those that are passed while others are processed are processed together
 * afterwards. Each call ends as the work on its items does.
 *
 * @param maxItems maximum number of items of one call of `process`
 */
export function combineCalls<Item>(
  process: (items: readonly Item[]) => Promise<unknown>,
  maxItems: number,
): (item: Item) => Promise<void> {
  let waiting: WaitingCall<Item>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    // Items of the same event-loop turn are processed together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const calls = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      try {
        await process(calls.map(({ item }) => item))
        for (const { resolve } of calls) resolve()
      } catch (error) {
        for (const { reject } of calls) reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
