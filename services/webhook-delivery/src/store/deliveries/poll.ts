import { problem } from '@wp/contracts'
import type { Row, Transaction } from '@wp/database'
import type { Delivery } from '#db'
import { isNextEvent, isWaiting } from '../endpoints/waiting-deliveries.ts'
import type { StoredWatermark } from '../endpoints/watermark.ts'

/** A delivery as returned to a receiver that polls. */
export interface PolledRow extends Row<Delivery, 'requestId' | 'eventId' | 'eventKind' | 'occurredAt'> {
  body: Buffer
  streamCreatedAt: string
  sequence: string
}

/** Last position and number of a poll response. Numbers as text: they may exceed 2^53. */
interface PollCursor {
  streamCreatedAt: string
  sequence: string
  requestId: string
  /** Number of the poll, kept in `lease_token`: padded to equal length, so that text compares like numbers. */
  poll: string
}

/**
 * Marks the deliveries up to the cursor as delivered, if the cursor's poll or an earlier one returned them. Deliveries
 * that were queued there since, by a resend, are not acknowledged.
 *
 * @throws Problem `invalid_cursor`
 */
export async function acknowledgeDeliveries(
  { query }: Pick<Transaction, 'query'>,
  webhookId: string,
  cursor: string,
): Promise<void> {
  const { streamCreatedAt, sequence, requestId, poll } = decodeCursor(cursor)
  const delivered = await query(
    `UPDATE deliveries SET status = 'delivered', delivered_at = now(), updated_at = now(), lease_token = NULL
     WHERE webhook_id = $1 AND lease_token IS NOT NULL AND lease_token <= $2 AND ${isWaiting}
       AND (stream_created_at, sequence, request_id) <= ($3::timestamptz, $4::bigint, $5) RETURNING request_id`,
    [webhookId, poll, streamCreatedAt, sequence, requestId],
  )
  if (delivered.length === 0) return
  await query(
    'UPDATE endpoints SET delivered_count = delivered_count + $2, last_success_at = now() WHERE webhook_id = $1',
    [webhookId, delivered.length],
  )
}

/**
 * Returns the first waiting deliveries in event order and counts an attempt for each. The caller has locked the
 * subscription, so concurrent polls run one after the other.
 *
 * @param watermark deliveries above it are not returned, nor those after a deferred event: an earlier event may still
 *   be fanned out
 */
export async function pollNextDeliveries(
  { query }: Pick<Transaction, 'query'>,
  webhookId: string,
  watermark: StoredWatermark | undefined,
  limit: number,
): Promise<{ rows: PolledRow[]; cursor: string | null; hasMore: boolean }> {
  // Attempts that were in flight when the subscription changed from push to poll.
  await query(
    `UPDATE deliveries SET next_attempt_at = NULL, lease_token = NULL
     WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at <= now()`,
    [webhookId],
  )
  const rows = await query<PolledRow>(
    `SELECT request_id, event_id, event_kind, body, occurred_at,
       (stream_created_at AT TIME ZONE 'UTC')::text || '+00' AS stream_created_at, sequence::text FROM deliveries
     WHERE webhook_id = $1 AND ${isWaiting} AND (deliveries.stream_created_at, deliveries.sequence) <= ($2::timestamptz, $3::bigint)
       AND ${isNextEvent('deliveries')}
     ORDER BY deliveries.stream_created_at, deliveries.sequence, request_id LIMIT $4`,
    [webhookId, watermark?.streamCreatedAt ?? 'epoch', watermark?.sequence ?? '0', limit + 1],
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (last === undefined) return { rows: [], cursor: null, hasMore: false }
  const poll = await nextPollNumber(query)
  // A delivery keeps the number of the poll that first returned it, so that the cursor of that poll stays valid for it.
  await query(
    `UPDATE deliveries SET lease_token = coalesce(lease_token, $2), attempt_count = attempt_count + 1, updated_at = now()
     WHERE request_id = ANY ($1)`,
    [page.map((row) => row.requestId), poll],
  )
  const cursor = encodeCursor({
    streamCreatedAt: last.streamCreatedAt,
    sequence: last.sequence,
    requestId: last.requestId,
    poll,
  })
  return { rows: page, cursor, hasMore: rows.length > limit }
}

async function nextPollNumber(query: Transaction['query']): Promise<string> {
  const [row] = await query<{ poll: string }>(`SELECT lpad(nextval('polls')::text, 19, '0') AS poll`)
  return row?.poll ?? ''
}

const encodeCursor = ({ streamCreatedAt, sequence, requestId, poll }: PollCursor): string =>
  Buffer.from([streamCreatedAt, sequence, requestId, poll].join('|')).toString('base64url')

const cursorPattern = /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d[\d.]*\+[\d:]+)\|(\d{1,18})\|(dlv_[0-9a-z]{26})\|(\d{19})$/

function decodeCursor(cursor: string): PollCursor {
  const [, streamCreatedAt, sequence, requestId, poll] =
    cursorPattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (streamCreatedAt === undefined || sequence === undefined || requestId === undefined || poll === undefined)
    throw problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return { streamCreatedAt, sequence, requestId, poll }
}
