import type { DomainEvent } from '@wp/contracts'
import type { Database, Query, Transaction } from '@wp/database'
import type { Log, Metrics } from '@wp/runtime'
import { isInfrastructureError } from '../infrastructure-error.ts'
import { serviceCaller } from '../service-caller.ts'
import { recordFailure } from './dead-letters.ts'

/** Where an event stands in the stream, and whether it was delivered before. */
export interface EventMetadata {
  /** What needs order keeps this and works only below the consumer's ack floor; 0 where it is not known. */
  sequence: number
  redelivered: boolean
  /** Since when there is the stream the sequence is of, as the broker writes it: one made anew counts from 1 again. */
  streamCreatedAt: string | null
  /** Where it lay: broker permissions bind producers to it, the event says of itself what it likes. Null: not known. */
  subject: string | null
}

/** An event as it was delivered. */
export interface ReceivedEvent {
  event: DomainEvent
  meta: EventMetadata
}

/** The effect of one event, in one transaction with its inbox row. Short: what takes long is a job. */
export type EventHandler<Client = unknown> = (
  event: DomainEvent,
  tx: Transaction<Client>,
  meta: EventMetadata,
) => Promise<void>

/** The effect of several events of one workspace, none of which was handled before, in the order of their received. */
export type BatchHandler<Client = unknown> = (batch: readonly ReceivedEvent[], tx: Transaction<Client>) => Promise<void>

/** Says why an event may not be handled at all; undefined: it may. Pure and quick. */
export type EventAuthorization = (event: DomainEvent, meta: EventMetadata) => string | undefined

export interface EventProcessorOptions<Client> {
  database: Database<Client>
  service: string
  /** The consumer's name in inbox and dead_events. */
  consumer: string
  handle: BatchHandler<Client>
  authorize?: EventAuthorization | undefined
  /** Failed tries that make an event dead. */
  maxAttempts: number
  /** Pauses before the second and further tries; the last one is repeated. Milliseconds. */
  retryMs: readonly number[]
  log: Log
  metrics: Metrics
}

/** `settled`: handled, seen before, or dead; the broker may forget it. */
export type ProcessingResult = 'settled' | { retryMs: number }

export interface EventProcessor {
  /** @throws the error of the infrastructure, when that is what failed; the try does not count then */
  process(event: DomainEvent, meta: EventMetadata): Promise<ProcessingResult>
  /**
   * Several of one workspace in one transaction; should it fail, each in one of its own, so that one that cannot be
   * handled stands alone. @returns an outcome for each @throws as `process`
   */
  processBatch(batch: readonly ReceivedEvent[]): Promise<ProcessingResult[]>
  /** Keeps what is no event as dead, at once. @throws the error of the infrastructure */
  deadLetter(id: string, content: unknown, meta: EventMetadata, defect: string): Promise<void>
}

/** Handles events exactly once in effect, and counts what fails. */
export function createEventProcessor<Client>(options: EventProcessorOptions<Client>): EventProcessor {
  const { database, service, consumer, handle, authorize, maxAttempts, retryMs, log, metrics } = options
  const pauseMs = (failures: number) => retryMs[Math.min(failures, retryMs.length) - 1] ?? 1_000

  async function processBatch(batch: readonly ReceivedEvent[]): Promise<ProcessingResult[]> {
    const authorized: ReceivedEvent[] = []
    for (const received of batch) {
      const reason = authorize?.(received.event, received.meta)
      if (reason === undefined) authorized.push(received)
      else await deadLetterRejected(received, reason)
    }
    if (authorized.length === 0) return batch.map(() => 'settled')
    const results = await processAuthorized(authorized)
    return batch.map((received) => results.get(received) ?? 'settled')
  }

  async function processAuthorized(batch: readonly ReceivedEvent[]): Promise<Map<ReceivedEvent, ProcessingResult>> {
    const startedAt = performance.now()
    try {
      const fresh = await handleOnce(batch)
      metrics.count('events_handled_total', { consumer, outcome: 'handled' }, fresh)
      metrics.count('events_handled_total', { consumer, outcome: 'seen' }, batch.length - fresh)
      return new Map()
    } catch (error) {
      const [only, another] = batch
      if (isInfrastructureError(error) || only === undefined) throw error
      if (another === undefined) return new Map([[only, await recordHandlerFailure(only, error)]])
      log.warn({ err: error, consumer, events: batch.length }, 'events could not be handled together')
    } finally {
      metrics.observe('events_handling_seconds', (performance.now() - startedAt) / 1000, { consumer })
    }
    const results = new Map<ReceivedEvent, ProcessingResult>()
    for (const one of batch)
      for (const [received, outcome] of await processAuthorized([one])) results.set(received, outcome)
    return results
  }

  /** @returns how many were not handled before */
  async function handleOnce(batch: readonly ReceivedEvent[]): Promise<number> {
    const [first] = batch
    if (first === undefined) return 0
    const { workspace_id: workspaceId, request_id: requestId, traceparent } = first.event
    const caller = serviceCaller(service, {
      shard: database.shard,
      workspaceId: workspaceId === '' ? null : workspaceId,
      requestId,
      traceparent,
    })
    const byId = new Map(batch.map((received) => [received.event.id, received]))
    return database.transact(caller, async (tx) => {
      const known = await recordInInbox(tx.query, consumer, [...byId.keys()])
      const newEvents = [...byId].filter(([id]) => known.has(id)).map(([, received]) => received)
      if (newEvents.length > 0) await handle(newEvents, tx)
      return newEvents.length
    })
  }

  async function recordHandlerFailure({ event, meta }: ReceivedEvent, error: unknown): Promise<ProcessingResult> {
    const { kind, request_id: requestId } = event
    const failures = await recordFailure(database.worker, consumer, toFailedEvent(event, meta, error), {
      maxAttempts,
      pauseMs: pauseMs(maxAttempts),
    })
    const facts = { err: error, consumer, event: event.id, kind, tries: failures, requestId }
    if (failures < maxAttempts) {
      metrics.count('events_handled_total', { consumer, outcome: 'failed' })
      log.warn(facts, 'an event could not be handled and is tried again')
      return { retryMs: pauseMs(failures) }
    }
    countDeadLetter()
    log.error(facts, 'an event could not be handled and is dead: pnpm events:redrive puts it back')
    return 'settled'
  }

  async function deadLetterRejected({ event, meta }: ReceivedEvent, reason: string): Promise<void> {
    await recordFailure(database.worker, consumer, toFailedEvent(event, meta, `refused: ${reason}`), {
      maxAttempts: 1,
      pauseMs: 0,
    })
    metrics.count('events_refused_total', { consumer })
    countDeadLetter()
    const facts = { consumer, event: event.id, kind: event.kind, subject: meta.subject, requestId: event.request_id }
    log.error({ ...facts, reason }, 'an event was refused and is dead')
  }

  const countDeadLetter = () => metrics.count('events_dead_total', { consumer })

  return {
    async process(event, meta) {
      const [outcome = 'settled'] = await processBatch([{ event, meta }])
      return outcome
    },
    processBatch,
    async deadLetter(id, content, { sequence, subject }, defect) {
      const failed = { id, workspaceId: '', content, sequence, subject, error: defect }
      await recordFailure(database.worker, consumer, failed, { maxAttempts: 1, pauseMs: 0 })
      countDeadLetter()
      log.error({ consumer, event: id, sequence, defect }, 'what lay on the broker is no event')
    },
  }
}

const toFailedEvent = (event: DomainEvent, { sequence, subject }: EventMetadata, error: unknown) => ({
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
