import type { DomainEvent } from '@wp/contracts'
import type { Database, Log, Query, Transaction } from '@wp/database'
import { countFailure } from './dead-events.ts'
import { isInfrastructureError } from './infrastructure-error.ts'
import { serviceCaller } from './service-caller.ts'
import type { Metrics } from './worker.ts'

/** Where an event stands in the stream, and whether it was delivered before. */
export interface EventMeta {
  /** What needs order keeps this and works only below the consumer's ack floor; 0 where it is not known. */
  sequence: number
  redelivered: boolean
}

/** The effect of one event, in one transaction with its inbox row. Short: what takes long is a job. */
export type EventHandler<Client = unknown> = (
  event: DomainEvent,
  tx: Transaction<Client>,
  meta: EventMeta,
) => Promise<void>

export interface HandlingOptions<Client> {
  database: Database<Client>
  service: string
  /** The consumer's name in inbox and dead_events. */
  consumer: string
  handle: EventHandler<Client>
  /** Failed tries that make an event dead. */
  tries: number
  /** Pauses before the second and further tries; the last one is repeated. Milliseconds. */
  retryMs: readonly number[]
  log: Log
  metrics: Metrics
}

/** `settled`: handled, seen before, or dead; the broker may forget it. */
export type Outcome = 'settled' | { retryMs: number }

export interface Handling {
  /** @throws the error of the infrastructure, when that is what failed; the try does not count then */
  settle(event: DomainEvent, meta: EventMeta): Promise<Outcome>
  /** Keeps what is no event as dead, at once. @throws the error of the infrastructure */
  bury(id: string, content: unknown, sequence: number, flaw: string): Promise<void>
}

/** Handles events exactly once in effect, and counts what fails. */
export function createHandling<Client>(options: HandlingOptions<Client>): Handling {
  const { database, service, consumer, handle, tries, retryMs, log, metrics } = options
  const pauseMs = (failures: number) => retryMs[Math.min(failures, retryMs.length) - 1] ?? 1_000

  async function settle(event: DomainEvent, meta: EventMeta): Promise<Outcome> {
    const began = performance.now()
    try {
      const fresh = await handleOnce(event, meta)
      metrics.count('events_handled_total', { consumer, outcome: fresh ? 'handled' : 'seen' })
      return 'settled'
    } catch (error) {
      if (isInfrastructureError(error)) throw error
      return await fail(event, meta, error)
    } finally {
      metrics.observe('events_handling_seconds', (performance.now() - began) / 1000, { consumer })
    }
  }

  async function handleOnce(event: DomainEvent, meta: EventMeta): Promise<boolean> {
    const caller = serviceCaller(service, {
      shard: database.shard,
      workspaceId: event.workspace_id === '' ? null : event.workspace_id,
      requestId: event.request_id,
      traceparent: event.traceparent,
    })
    return database.transact(caller, async (tx) => {
      const fresh = await recordInInbox(tx.query, consumer, event.id)
      if (fresh) await handle(event, tx, meta)
      return fresh
    })
  }

  async function fail(event: DomainEvent, meta: EventMeta, error: unknown): Promise<Outcome> {
    const { id, workspace_id: workspaceId, kind } = event
    const kept = { id, workspaceId, content: event, sequence: meta.sequence, error }
    const failures = await countFailure(database.worker, consumer, kept, { tries, pauseMs: pauseMs(tries) })
    const facts = { err: error, consumer, event: id, kind, tries: failures, requestId: event.request_id }
    if (failures < tries) {
      metrics.count('events_handled_total', { consumer, outcome: 'failed' })
      log.warn(facts, 'an event could not be handled and is tried again')
      return { retryMs: pauseMs(failures) }
    }
    countDead()
    log.error(facts, 'an event could not be handled and is dead: pnpm events:redrive puts it back')
    return 'settled'
  }

  const countDead = () => metrics.count('events_dead_total', { consumer })

  return {
    settle,
    async bury(id, content, sequence, flaw) {
      const kept = { id, workspaceId: '', content, sequence, error: flaw }
      await countFailure(database.worker, consumer, kept, { tries: 1, pauseMs: 0 })
      countDead()
      log.error({ consumer, event: id, sequence, flaw }, 'what lay on the broker is no event')
    },
  }
}

/**
 * Takes note of the event; a failed try before this one is forgotten with it.
 * @returns false when the event was handled before
 */
async function recordInInbox(query: Query, consumer: string, eventId: string): Promise<boolean> {
  const [row] = await query<{ fresh: boolean }>(
    `WITH fresh AS (
       INSERT INTO platform.inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING true
     ), forgiven AS (
       DELETE FROM platform.dead_events WHERE consumer = $1 AND event_id = $2
     )
     SELECT EXISTS (SELECT FROM fresh) AS fresh`,
    [consumer, eventId],
  )
  return row?.fresh === true
}
