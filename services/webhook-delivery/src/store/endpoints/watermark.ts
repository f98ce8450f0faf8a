import type { Database } from '@wp/database'
import type { Watermark } from '@wp/events'
import { isWaiting } from './waiting-deliveries.ts'

/**
 * Looks for a waiting delivery above the watermark.
 * @returns the database's time if there is one, otherwise undefined
 */
export async function findAboveWatermark(pool: Database['worker']): Promise<Date | undefined> {
  const { rows } = await pool.query<{ isAbove: boolean; now: Date }>(
    `SELECT clock_timestamp() AS now, (stream_created_at, sequence) > (
       coalesce((SELECT stream_created_at FROM fan_out_watermark), 'epoch'), coalesce((SELECT sequence FROM fan_out_watermark), 0)
     ) AS is_above
     FROM deliveries WHERE ${isWaiting} ORDER BY stream_created_at DESC, sequence DESC LIMIT 1`,
  )
  return rows[0]?.isAbove === true ? rows[0].now : undefined
}

/**
 * Stores the broker's watermark, also when it is lower than before: a broker that lost its newest messages continues
 * from there. A waiting delivery with a higher number, although every message is processed, was fanned out before the
 * loss; it is moved down to the watermark, before all events that follow.
 *
 * @param queriedAt the database's time before the broker was queried: later deliveries may be newer than its response
 */
export async function writeWatermark(
  pool: Database['worker'],
  { streamCreatedAt, sequence, isCaughtUp }: Watermark,
  queriedAt: Date,
): Promise<void> {
  await pool.query(
    `INSERT INTO fan_out_watermark (consumer, stream_created_at, sequence) VALUES ('deliveries', $1, $2)
     ON CONFLICT (consumer) DO UPDATE SET stream_created_at = excluded.stream_created_at, sequence = excluded.sequence`,
    [streamCreatedAt, sequence],
  )
  if (isCaughtUp)
    await pool.query(
      `UPDATE deliveries SET sequence = $2 WHERE ${isWaiting} AND stream_created_at = $1 AND sequence > $2 AND created_at < $3`,
      [streamCreatedAt, sequence, queriedAt],
    )
}

/** Stream position up to which every event was fanned out. Numbers as text: they may exceed 2^53. */
export interface StoredWatermark {
  streamCreatedAt: string
  sequence: string
}

/** Returns the stored watermark; undefined before the broker was first queried. */
export async function readWatermark(pool: Database['worker']): Promise<StoredWatermark | undefined> {
  const { rows } = await pool.query<StoredWatermark>(
    'SELECT stream_created_at::text AS stream_created_at, sequence::text FROM fan_out_watermark',
  )
  return rows[0]
}
