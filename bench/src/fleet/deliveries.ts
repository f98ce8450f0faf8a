import { setTimeout as pause } from 'node:timers/promises'
import { inDatabase } from '../harness/fleet.ts'
import { sharedClockMs } from '../harness/helper-process.ts'
import { type Percentiles, percentiles } from '../harness/statistics.ts'
import type { Arrivals } from '../webhooks/receiver.ts'
import type { LoadFleet } from './load-fleet.ts'

/** Times in milliseconds from the commit of an event to the arrival of a delivery. */
export interface DeliveryTimes extends Percentiles {
  expected: number
  /** Deliveries that did not arrive in time. */
  missing: number
}

const longestWaitMs = 30_000

/** Forgets the arrivals so far. */
export const forgetArrivals = ({ receiver }: LoadFleet): Promise<unknown> => receiver.call('takeArrivals', 'ok')

/** Waits for the deliveries about all created API keys, half a minute at most, and returns their times. */
export async function measureDeliveries(load: LoadFleet, createdKeys: readonly string[]): Promise<DeliveryTimes> {
  const arrivedAt = new Map<string, number[]>(createdKeys.map((id) => [id, []]))
  const expected = createdKeys.length
  const deadline = performance.now() + longestWaitMs
  let arrived = 0
  while (arrived < expected && performance.now() < deadline) {
    const { ids, atMs } = await load.receiver.call<Arrivals>('takeArrivals', 'ok')
    for (const [index, id] of ids.entries()) {
      // A request that was cut off by its time limit may have caused an event too.
      const times = arrivedAt.get(id)
      if (times === undefined) continue
      times.push(atMs[index] ?? Number.NaN)
      arrived += 1
    }
    if (arrived < expected) await pause(100)
  }
  const committedAt = await readCommitTimes(load)
  const times = [...arrivedAt].flatMap(([id, arrivals]) =>
    arrivals.map((at) => at - (committedAt.get(id) ?? Number.NaN)),
  )
  return { expected, missing: expected - arrived, ...percentiles(times) }
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
