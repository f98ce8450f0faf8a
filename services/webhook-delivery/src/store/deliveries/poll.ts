import { problem } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { isWaiting } from '../endpoints/ordered-delivery.ts'

/** A delivery as a receiver that polls gets it. */
export interface PolledRow {
  request_id: string
  event_id: string
  event_kind: string
  body: Buffer
  occurred_at: Date
  stream_at: string
  sequence: string
}

/** Where an answer ended, and which it was. Numbers as text: they may be larger than JavaScript counts. */
interface PollCursor {
  streamAt: string
  sequence: string
  requestId: string
  /** In `lease_token`: of equal length, so that text compares like numbers. */
  poll: string
}

/**
 * Ends what came up to this cursor: what lies before it and had been handed out by that answer or before. What was put
 * there since, because somebody had it sent again, has not arrived.
 *
 * @throws Problem `invalid_cursor`
 */
export async function acknowledgeDeliveries(
  { query }: Pick<Transaction, 'query'>,
  webhookId: string,
  cursor: string,
): Promise<void> {
  const { streamAt, sequence, requestId, poll } = decodeCursor(cursor)
  const delivered = await query(
    `UPDATE deliveries SET status = 'delivered', delivered_at = now(), updated_at = now(), lease_token = NULL
     WHERE webhook_id = $1 AND lease_token IS NOT NULL AND lease_token <= $2 AND ${isWaiting}
       AND (stream_at, sequence, request_id) <= ($3::timestamptz, $4::bigint, $5) RETURNING request_id`,
    [webhookId, poll, streamAt, sequence, requestId],
  )
  if (delivered.length === 0) return
  await query(
    'UPDATE endpoints SET delivered_count = delivered_count + $2, last_success_at = now() WHERE webhook_id = $1',
    [webhookId, delivered.length],
  )
}

/**
 * Hands the first that wait out, in the order of their events. The caller holds the subscription, so that two who ask at
 * once come one after the other.
 *
 * @param floor nothing above it is given: an earlier event may still come
 */
export async function leaseNextDeliveries(
  { query }: Pick<Transaction, 'query'>,
  webhookId: string,
  watermark: { streamAt: string; sequence: string } | undefined,
  limit: number,
): Promise<{ rows: PolledRow[]; cursor: string | null; more: boolean }> {
  // What was under way to an endpoint when the subscription became a polled one.
  await query(
    `UPDATE deliveries SET next_attempt_at = NULL, lease_token = NULL
     WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at <= now()`,
    [webhookId],
  )
  const rows = await query<PolledRow>(
    `SELECT request_id, event_id, event_kind, body, occurred_at,
       (stream_at AT TIME ZONE 'UTC')::text || '+00' AS stream_at, sequence::text FROM deliveries
     WHERE webhook_id = $1 AND ${isWaiting} AND (deliveries.stream_at, deliveries.sequence) <= ($2::timestamptz, $3::bigint)
     ORDER BY deliveries.stream_at, deliveries.sequence, request_id LIMIT $4`,
    [webhookId, watermark?.streamAt ?? 'epoch', watermark?.sequence ?? '0', limit + 1],
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (last === undefined) return { rows: [], cursor: null, more: false }
  const [numbered] = await query<{ poll: string }>(`SELECT lpad(nextval('polls')::text, 19, '0') AS poll`)
  const poll = numbered?.poll ?? ''
  // It keeps the number under which it was first given: that answer's cursor is still good for it.
  await query(
    `UPDATE deliveries SET lease_token = coalesce(lease_token, $2), attempt_count = attempt_count + 1, updated_at = now()
     WHERE request_id = ANY ($1)`,
    [page.map((row) => row.request_id), poll],
  )
  const cursor = encodeCursor({ streamAt: last.stream_at, sequence: last.sequence, requestId: last.request_id, poll })
  return { rows: page, cursor, more: rows.length > limit }
}

const encodeCursor = ({ streamAt, sequence, requestId, poll }: PollCursor): string =>
  Buffer.from([streamAt, sequence, requestId, poll].join('|')).toString('base64url')

const cursorPattern = /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d[\d.]*\+[\d:]+)\|(\d{1,18})\|(dlv_[0-9a-z]{26})\|(\d{19})$/

function decodeCursor(cursor: string): PollCursor {
  const [, streamAt, sequence, requestId, poll] = cursorPattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (streamAt === undefined || sequence === undefined || requestId === undefined || poll === undefined)
    throw problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return { streamAt, sequence, requestId, poll }
}
