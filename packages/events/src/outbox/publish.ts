import type { DomainEvent } from '@wp/contracts'
import type { Query } from '@wp/database'
import { errorClass, type Log, type Span, type Tracing } from '@wp/runtime'
import type { Bus } from '../bus/bus.ts'
import { type OutboxRow, toEnvelope, truncateEvent } from '../bus/envelope.ts'
import { type EventMessage, publishAtomically, publishEvent } from '../bus/publish-event.ts'
import { deadLetterOutboxRow, findUnpublished, lockOutbox, markPublished } from './outbox-table.ts'

/** Maximum number of rows of one pass; the broker accepts 1,000 messages in a batch. */
const passRows = 200

/** Size at which a batch is complete. The broker holds it in memory until it is stored. */
const maxBatchBytes = 4 * 1024 ** 2

/** Maximum duration of a pass, well below the idle-in-transaction timeout of its connection (60 s). */
const maxPassMs = 20_000

/** Bytes reserved for subject and headers. */
const framingBytes = 1_024

interface OutboxPublication {
  query: Query
  /** Sends the commit, with the statements before it. */
  commit: () => void
  bus: Bus
  /** Shard of the events to publish; empty for the shard of the service. */
  shard: string
  service: string
  log: Log
  tracing?: Tracing | undefined
  signal: AbortSignal
  /** True to publish several events as one batch: the stream must accept that. */
  inBatches: boolean
}

/**
 * Publishes the oldest unpublished events in order, and marks those that the broker has acknowledged. Stops at the
 * first failure.
 *
 * @returns the number of events, whether there may be more, the age of the oldest in seconds, and the error that
 *   stopped the pass; undefined if another replica is publishing
 */
export async function publishOutbox(
  relay: OutboxPublication,
): Promise<{ published: number; hasMore: boolean; oldestSeconds: number; failure?: unknown } | undefined> {
  // Sent together: the events are read after the lock was taken, in the same session.
  const [isLocked, rows] = await Promise.all([
    lockOutbox(relay.query, relay.shard),
    findUnpublished(relay.query, relay.shard, passRows),
  ])
  if (!isLocked) return undefined
  const endsAt = performance.now() + maxPassMs
  let published = 0
  let failure: unknown
  while (published < rows.length && failure === undefined) {
    if (relay.signal.aborted || performance.now() > endsAt) break
    const result = await publishNext(relay, rows.slice(published))
    published += result.published
    failure = result.failure
  }
  const marked = published === 0 ? undefined : markPublished(relay.query, rows.slice(0, published))
  relay.commit()
  await marked
  const hasMore = failure === undefined && (published === passRows || published < rows.length)
  return { published, hasMore, oldestSeconds: rows[0]?.ageSeconds ?? 0, failure }
}

/** Publishes the first of the events, or as many as fit into a batch. @returns their number, and what stopped it */
async function publishNext(
  relay: OutboxPublication,
  rows: readonly OutboxRow[],
): Promise<{ published: number; failure?: unknown }> {
  const messages: OutboxMessage[] = []
  let published = 0
  let failure: unknown
  try {
    takeMessages(relay, rows, messages)
    const batch = messages.filter((message): message is OutboxMessage & EventMessage => message.payload !== undefined)
    if (batch.length > 1 && (await publishAtomically(relay.bus, relay.service, batch))) published = batch.length
    // If a batch is refused, the broker knows one of its events or refuses it: one at a time shows which.
    for (const message of messages.slice(published)) {
      await publishMessage(relay, message)
      published += 1
    }
  } catch (error) {
    failure = error
  }
  for (const [index, { span }] of messages.entries()) span?.end(index < published ? undefined : errorClass(failure))
  return { published, failure }
}

/** An event of the outbox. */
interface OutboxMessage {
  row: OutboxRow
  event: DomainEvent
  /** Undefined if the broker cannot accept an event of this size. */
  payload: string | undefined
  span: Span | undefined
}

/** Adds the events that are published together: those that fit into a batch, or one. Too large a one comes last. */
function takeMessages(relay: OutboxPublication, rows: readonly OutboxRow[], taken: OutboxMessage[]): void {
  const maxPayloadBytes = relay.bus.jetstream.broker().maxPayload - framingBytes
  let bytes = 0
  for (const row of rows) {
    const span = relay.tracing?.startSpan(`publish ${row.kind}`, { kind: 'producer', parent: row.traceparent })
    const event = toEnvelope(span === undefined ? row : { ...row, traceparent: span.traceparent })
    const payload = fitPayload(event, maxPayloadBytes)
    taken.push({ row, event, payload, span })
    bytes += Buffer.byteLength(payload ?? '')
    if (!relay.inBatches || bytes > maxBatchBytes || payload === undefined) return
  }
}

async function publishMessage(relay: OutboxPublication, { row, event, payload }: OutboxMessage): Promise<void> {
  const { query, bus, service, log } = relay
  if (payload !== undefined) return await publishEvent(bus, service, event, payload)
  const { maxPayload } = bus.jetstream.broker()
  await deadLetterOutboxRow(query, row, `larger than the broker's limit of ${maxPayload} bytes`)
  log.error(
    { event: 'domain_event.too_large', eventId: row.id, kind: row.kind },
    'event exceeds the size limit of the broker; recorded as a dead letter',
  )
}

/** Returns the event as JSON, truncated if it is too large; undefined if it is too large even then. */
function fitPayload(event: DomainEvent, maxBytes: number): string | undefined {
  const full = JSON.stringify(event)
  if (Buffer.byteLength(full) <= maxBytes) return full
  const truncated = JSON.stringify(truncateEvent(event))
  return Buffer.byteLength(truncated) <= maxBytes ? truncated : undefined
}
