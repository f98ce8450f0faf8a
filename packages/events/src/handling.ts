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
  /** Since when there is the stream the sequence is of, as the broker writes it: one made anew counts from 1 again. */
  streamCreatedAt: string | null
  /** Where it lay: broker permissions bind producers to it, the event says of itself what it likes. Null: not known. */
  subject: string | null
}

/** An event as it was delivered. */
export interface Delivery {
  event: DomainEvent
  meta: EventMeta
}

/** The effect of one event, in one transaction with its inbox row. Short: what takes long is a job. */
export type EventHandler<Client = unknown> = (
  event: DomainEvent,
  tx: Transaction<Client>,
  meta: EventMeta,
) => Promise<void>

/** The effect of several events of one workspace, none of which was handled before, in the order of their delivery. */
export type BatchHandler<Client = unknown> = (deliveries: readonly Delivery[], tx: Transaction<Client>) => Promise<void>

/** Says why an event may not be handled at all; undefined: it may. Pure and quick. */
export type Admission = (event: DomainEvent, meta: EventMeta) => string | undefined

export interface HandlingOptions<Client> {
  database: Database<Client>
  service: string
  /** The consumer's name in inbox and dead_events. */
  consumer: string
  handle: BatchHandler<Client>
  admit?: Admission | undefined
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
  /**
   * Several of one workspace in one transaction; should it fail, each in one of its own, so that one that cannot be
   * handled stands alone. @returns an outcome for each @throws as `settle`
   */
  settleAll(deliveries: readonly Delivery[]): Promise<Outcome[]>
  /** Keeps what is no event as dead, at once. @throws the error of the infrastructure */
  bury(id: string, content: unknown, meta: EventMeta, flaw: string): Promise<void>
}

/** Handles events exactly once in effect, and counts what fails. */
export function createHandling<Client>(options: HandlingOptions<Client>): Handling {
  const { database, service, consumer, handle, admit, tries, retryMs, log, metrics } = options
  const pauseMs = (failures: number) => retryMs[Math.min(failures, retryMs.length) - 1] ?? 1_000

  async function settleAll(deliveries: readonly Delivery[]): Promise<Outcome[]> {
    const admitted: Delivery[] = []
    for (const delivery of deliveries) {
      const reason = admit?.(delivery.event, delivery.meta)
      if (reason === undefined) admitted.push(delivery)
      else await refuse(delivery, reason)
    }
    if (admitted.length === 0) return deliveries.map(() => 'settled')
    const outcomes = await settleAdmitted(admitted)
    return deliveries.map((delivery) => outcomes.get(delivery) ?? 'settled')
  }

  async function settleAdmitted(deliveries: readonly Delivery[]): Promise<Map<Delivery, Outcome>> {
    const began = performance.now()
    try {
      const fresh = await handleOnce(deliveries)
      metrics.count('events_handled_total', { consumer, outcome: 'handled' }, fresh)
      metrics.count('events_handled_total', { consumer, outcome: 'seen' }, deliveries.length - fresh)
      return new Map()
    } catch (error) {
      const [only, another] = deliveries
      if (isInfrastructureError(error) || only === undefined) throw error
      if (another === undefined) return new Map([[only, await fail(only, error)]])
      log.warn({ err: error, consumer, events: deliveries.length }, 'events could not be handled together')
    } finally {
      metrics.observe('events_handling_seconds', (performance.now() - began) / 1000, { consumer })
    }
    const outcomes = new Map<Delivery, Outcome>()
    for (const one of deliveries)
      for (const [delivery, outcome] of await settleAdmitted([one])) outcomes.set(delivery, outcome)
    return outcomes
  }

  /** @returns how many were not handled before */
  async function handleOnce(deliveries: readonly Delivery[]): Promise<number> {
    const [first] = deliveries
    if (first === undefined) return 0
    const { workspace_id: workspaceId, request_id: requestId, traceparent } = first.event
    const caller = serviceCaller(service, {
      shard: database.shard,
      workspaceId: workspaceId === '' ? null : workspaceId,
      requestId,
      traceparent,
    })
    const byId = new Map(deliveries.map((delivery) => [delivery.event.id, delivery]))
    return database.transact(caller, async (tx) => {
      const known = await recordInInbox(tx.query, consumer, [...byId.keys()])
      const fresh = [...byId].filter(([id]) => known.has(id)).map(([, delivery]) => delivery)
      if (fresh.length > 0) await handle(fresh, tx)
      return fresh.length
    })
  }

  async function fail({ event, meta }: Delivery, error: unknown): Promise<Outcome> {
    const { kind, request_id: requestId } = event
    const failures = await countFailure(database.worker, consumer, kept(event, meta, error), {
      tries,
      pauseMs: pauseMs(tries),
    })
    const facts = { err: error, consumer, event: event.id, kind, tries: failures, requestId }
    if (failures < tries) {
      metrics.count('events_handled_total', { consumer, outcome: 'failed' })
      log.warn(facts, 'an event could not be handled and is tried again')
      return { retryMs: pauseMs(failures) }
    }
    countDead()
    log.error(facts, 'an event could not be handled and is dead: pnpm events:redrive puts it back')
    return 'settled'
  }

  async function refuse({ event, meta }: Delivery, reason: string): Promise<void> {
    await countFailure(database.worker, consumer, kept(event, meta, `refused: ${reason}`), { tries: 1, pauseMs: 0 })
    metrics.count('events_refused_total', { consumer })
    countDead()
    const facts = { consumer, event: event.id, kind: event.kind, subject: meta.subject, requestId: event.request_id }
    log.error({ ...facts, reason }, 'an event was refused and is dead')
  }

  const countDead = () => metrics.count('events_dead_total', { consumer })

  return {
    async settle(event, meta) {
      const [outcome = 'settled'] = await settleAll([{ event, meta }])
      return outcome
    },
    settleAll,
    async bury(id, content, { sequence, subject }, flaw) {
      const flawed = { id, workspaceId: '', content, sequence, subject, error: flaw }
      await countFailure(database.worker, consumer, flawed, { tries: 1, pauseMs: 0 })
      countDead()
      log.error({ consumer, event: id, sequence, flaw }, 'what lay on the broker is no event')
    },
  }
}

const kept = (event: DomainEvent, { sequence, subject }: EventMeta, error: unknown) => ({
  id: event.id,
  workspaceId: event.workspace_id,
  content: event,
  sequence,
  subject,
  error,
})

/**
 * Takes note of events; failed tries before this one are forgotten with it. In the order of their ids, so that replicas
 * that were given the same ones do not wait for each other in a circle.
 * @returns those that were not handled before
 */
async function recordInInbox(query: Query, consumer: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    `WITH fresh AS (
       INSERT INTO platform.inbox (consumer, event_id) SELECT $1, unnest($2::text[])
       ON CONFLICT DO NOTHING RETURNING event_id
     ), forgiven AS (
       DELETE FROM platform.dead_events WHERE consumer = $1 AND event_id = ANY ($2)
     )
     SELECT event_id AS id FROM fresh`,
    [consumer, [...ids].sort()],
  )
  return new Set(rows.map(({ id }) => id))
}
