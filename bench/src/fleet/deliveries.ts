import { collectArrivals, inDatabase } from '../harness/fleet.ts'
import { sharedClockMs } from '../harness/helper-process.ts'
import { type Percentiles, percentiles } from '../harness/statistics.ts'
import type { LoadFleet } from './load-fleet.ts'

/** Times in milliseconds from the commit of an event to the arrival of a delivery. */
export interface DeliveryTimes extends Percentiles {
  expected: number
  /** Deliveries that did not arrive in time. */
  missing: number
}

const longestWaitMs = 30_000

/** Waits for the deliveries about all created API keys, half a minute at most, and returns their times. */
export async function measureDeliveries(load: LoadFleet, createdKeys: readonly string[]): Promise<DeliveryTimes> {
  const arrivedAt = await collectArrivals(load.receiver, createdKeys, longestWaitMs)
  const committedAt = await readCommitTimes(load)
  const times = [...arrivedAt].map(([id, at]) => at - (committedAt.get(id) ?? Number.NaN))
  const expected = createdKeys.length
  return { expected, missing: expected - arrivedAt.size, ...percentiles(times) }
}

/** Returns the time of `sharedClockMs` at which each API key was committed. */
async function readCommitTimes({ fleet }: LoadFleet): Promise<Map<string, number>> {
  const offsetMs = performance.timeOrigin + performance.now() - sharedClockMs()
  return await inDatabase(fleet, 'auth', async (client) => {
    const { rows } = await client.query<{ id: string; at: number }>(
      `SELECT key_id AS id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at FROM api_keys
       WHERE created_by_type = 'service_principal'`,
    )
    return new Map(rows.map(({ id, at }) => [id, at - offsetMs]))
  })
}
