import type { Database } from '@wp/database'
import type { Watermark } from '@wp/events'
import { isWaiting } from './ordered-delivery.ts'

/**
 * Whether anything waits of which it is not known yet that no event before it can come.
 * @returns the database's time, where it does
 */
export async function findAboveWatermark(pool: Database['worker']): Promise<Date | undefined> {
  const { rows } = await pool.query<{ unsettled: boolean; now: Date }>(
    `SELECT clock_timestamp() AS now, (stream_at, sequence) > (
       coalesce((SELECT stream_at FROM fan_out_floor), 'epoch'), coalesce((SELECT sequence FROM fan_out_floor), 0)
     ) AS unsettled
     FROM deliveries WHERE ${isWaiting} ORDER BY stream_at DESC, sequence DESC LIMIT 1`,
  )
  return rows[0]?.unsettled === true ? rows[0].now : undefined
}

/**
 * Keeps what the broker says now: also where that is less than before, since a broker that lost the last of what it
 * stored counts on from there. What waits with a higher number although all of the stream is settled is from before
 * that; it comes before everything that is still to come.
 *
 * @param askedAt the database's time before the broker was asked: what was written later may be newer than its answer
 */
export async function writeWatermark(
  pool: Database['worker'],
  { streamCreatedAt, sequence, isCaughtUp: isAll }: Watermark,
  askedAt: Date,
): Promise<void> {
  await pool.query(
    `INSERT INTO fan_out_floor (consumer, stream_at, sequence) VALUES ('deliveries', $1, $2)
     ON CONFLICT (consumer) DO UPDATE SET stream_at = excluded.stream_at, sequence = excluded.sequence`,
    [streamCreatedAt, sequence],
  )
  if (isAll)
    await pool.query(
      `UPDATE deliveries SET sequence = $2 WHERE ${isWaiting} AND stream_at = $1 AND sequence > $2 AND created_at < $3`,
      [streamCreatedAt, sequence, askedAt],
    )
}

/** Up to where nothing can come in between any more; undefined: nothing is known yet. */
export async function readWatermark(
  pool: Database['worker'],
): Promise<{ streamAt: string; sequence: string } | undefined> {
  const { rows } = await pool.query<{ streamAt: string; sequence: string }>(
    'SELECT stream_at::text AS "streamAt", sequence::text FROM fan_out_floor',
  )
  return rows[0]
}
