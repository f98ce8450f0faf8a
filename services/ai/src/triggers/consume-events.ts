import { type DomainEvent, id, webhookEventKinds } from '@wp/contracts'
import { type Bus, createBatchConsumer, type EventConsumer, matchesEventFilter } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { readTriggerDepth } from '../store/runs/budget-use.ts'
import { findWantedEvents, lockEventTriggers, type WorkspaceEvent } from '../store/triggers/occasions.ts'
import type { Trigger } from '../store/triggers/triggers.ts'
import { startTriggeredRun } from './start-triggered-run.ts'

/** Events of one question to the database. */
const maxEvents = 200

interface Options {
  database: Context['database']['background']
  bus: Bus
  log: Log
  metrics: Metrics
  now: Context['now']
}

/** Events of one workspace in one transaction: few, since each may start several runs. */
const maxBatchSize = 20
/** Events taken from the broker at once, a quarter of them of one workspace at most. */
const maxWaiting = 200

/** Creates the consumer that starts the runs of triggers at events: exactly one for each trigger and event. */
export const createTriggerConsumer = ({ now, ...options }: Options): EventConsumer =>
  createBatchConsumer({
    ...options,
    service: 'ai',
    purpose: 'triggers',
    kinds: webhookEventKinds,
    isWanted: createWantedEvents((events) => findWantedEvents(options.database.worker, events)),
    maxBatchSize,
    maxWaiting,
    async handle(batch, tx) {
      const { workspaceId } = tx
      if (workspaceId === null) return
      const triggers = await lockEventTriggers(tx.query, workspaceId, [
        ...new Set(batch.map(({ event }) => event.kind)),
      ])
      for (const { event } of triggers.length === 0 ? [] : batch)
        for (const trigger of triggers)
          if (isOccasion(trigger, event)) await startRunOf(tx, trigger, event, new Date(now()))
    },
  })

const isOccasion = ({ on, createdAt }: Trigger, event: DomainEvent): boolean =>
  'event' in on &&
  on.event === event.kind &&
  // An event from before the trigger may come late.
  Date.parse(event.occurred_at) >= createdAt.getTime() &&
  (on.filter === null || matchesEventFilter(on.filter, event))

const runId = id('run')

/** The request of what a triggered run does is the run itself, so that events lead back to it. */
async function startRunOf(tx: Tx, trigger: Trigger, event: DomainEvent, at: Date): Promise<void> {
  const { workspaceId } = trigger.caller
  const cause = runId.safeParse(event.request_id)
  const depth = cause.success ? await readTriggerDepth(tx.query, { runId: cause.data, workspaceId }) : 0
  await startTriggeredRun(tx, trigger, { at, event, depth })
}

const keyOf = ({ workspaceId, event }: WorkspaceEvent): string => `${event} ${workspaceId}`

/**
 * Returns a function that tells whether a trigger may start a run at an event. Events that arrive while the database is
 * asked are in the next question together. Nothing is remembered, so that a trigger counts from its commit on.
 */
export function createWantedEvents(find: (events: readonly WorkspaceEvent[]) => Promise<WorkspaceEvent[]>) {
  let waiting: { asked: WorkspaceEvent; resolve(isWanted: boolean): void; reject(error: unknown): void }[] = []
  let isAsking = false

  async function ask(): Promise<void> {
    isAsking = true
    // Events of the same event-loop turn are asked about together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxEvents)
      waiting = waiting.slice(maxEvents)
      const asked = new Map(batch.map((each) => [keyOf(each.asked), each.asked]))
      try {
        const wanted = new Set((await find([...asked.values()])).map(keyOf))
        for (const each of batch) each.resolve(wanted.has(keyOf(each.asked)))
      } catch (error) {
        for (const each of batch) each.reject(error)
      }
    }
    isAsking = false
  }

  return ({ workspace_id: workspaceId, kind: event }: DomainEvent): Promise<boolean> =>
    new Promise((resolve, reject) => {
      waiting.push({ asked: { workspaceId, event }, resolve, reject })
      if (!isAsking) void ask()
    })
}
