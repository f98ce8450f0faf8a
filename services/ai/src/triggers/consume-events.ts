import { type DomainEvent, id, webhookEventKinds } from '@wp/contracts'
import { type Bus, createBatchConsumer, type EventConsumer, matchesEventFilter } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { readTriggerDepth } from '../store/runs/budget-use.ts'
import { findWantedEvents, lockEventTriggers } from '../store/triggers/occasions.ts'
import type { Trigger } from '../store/triggers/triggers.ts'
import { startTriggeredRun } from './start-triggered-run.ts'
import { createWantedEvents } from './wanted-events.ts'

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
