import type { Pool } from 'pg'
import { sharedClockMs } from '../harness/helper-process.ts'
import type { Row } from '../harness/report.ts'
import { percentiles } from '../harness/statistics.ts'
import type { Committed } from './producer.ts'

/** Times of an event, in milliseconds since 1970, in the order in which they usually follow each other. */
interface EventTimes {
  /** The relay has marked it, after the broker's acknowledgement, which the consumer may have overtaken. */
  published: number
  /** The transaction of its fan-out has begun. */
  fanOutBegan: number
  sendingBegan: number
  recorded: number
}

/** Returns percentiles of the time that events spend in each stage, from the time a commit was due to the record. */
export async function measureStages(
  { outbox, deliveries }: Record<'outbox' | 'deliveries', Pool>,
  { ids, dueMs, committedMs }: Committed,
  arrivedMs: ReadonlyMap<string, number>,
): Promise<Row[]> {
  const times = await readTimes({ outbox, deliveries }, ids)
  const clockOffsetMs = performance.timeOrigin + performance.now() - sharedClockMs()
  const stages = new Map<string, number[]>()
  const add = (stage: string, ms: number) => stages.set(stage, [...(stages.get(stage) ?? []), ms])
  for (const [index, id] of ids.entries()) {
    const event = times.get(id)
    if (event === undefined) continue
    const due = (dueMs[index] ?? Number.NaN) + clockOffsetMs
    const committed = (committedMs[index] ?? Number.NaN) + clockOffsetMs
    const arrived = (arrivedMs.get(id) ?? Number.NaN) + clockOffsetMs
    add('due to committed', committed - due)
    add('to published', event.published - committed)
    add('to fan-out', event.fanOutBegan - event.published)
    add('to sending', event.sendingBegan - event.fanOutBegan)
    add('to received', arrived - event.sendingBegan)
    add('to recorded', event.recorded - arrived)
  }
  return [...stages].map(([stage, ms]) => {
    const { p50, p95, max } = percentiles(ms)
    return { stage, 'p50 ms': p50, 'p95 ms': p95, 'max ms': max }
  })
}

async function readTimes(
  { outbox, deliveries }: Record<'outbox' | 'deliveries', Pool>,
  ids: readonly string[],
): Promise<Map<string, EventTimes>> {
  const published = await outbox.query<{ eventId: string; id: string; published: number }>(
    `SELECT id AS "eventId", data->>'id' AS id, extract(epoch FROM published_at)::float8 * 1000 AS published
     FROM platform.outbox WHERE data->>'id' = ANY ($1)`,
    [ids],
  )
  const delivered = await deliveries.query<Omit<EventTimes, 'published'> & { eventId: string }>(
    `SELECT event_id AS "eventId", extract(epoch FROM received_at)::float8 * 1000 AS "fanOutBegan",
       extract(epoch FROM coalesce((first_attempt->>'startedAt')::timestamptz, delivered_at))::float8 * 1000 AS "sendingBegan",
       extract(epoch FROM delivered_at)::float8 * 1000 AS recorded
     FROM deliveries JOIN platform.inbox USING (event_id) WHERE event_id = ANY ($1)`,
    [published.rows.map(({ eventId }) => eventId)],
  )
  const byEvent = new Map(delivered.rows.map((row) => [row.eventId, row]))
  return new Map(
    published.rows.flatMap((row) => {
      const times = byEvent.get(row.eventId)
      return times === undefined ? [] : [[row.id, { ...row, ...times }]]
    }),
  )
}
