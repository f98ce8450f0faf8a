import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '@wp/lab/random'
import { inDatabase } from '../harness/fleet.ts'
import { sharedClockMs } from '../harness/helper-process.ts'
import { type Outcome, type Summary, summarize } from '../harness/open-loop.ts'
import { type MeterReading, startMeter } from '../harness/process-usage.ts'
import { type Percentiles, percentiles } from '../harness/statistics.ts'
import { collectArrivals } from '../webhooks/receiver.ts'
import { type LoadFleet, waitUntilIdle } from './load-fleet.ts'
import { mix, type Operation } from './mix.ts'
import { runLoad } from './run-load.ts'

export interface Measurement {
  summary: Summary
  outcomes: Outcome<Operation>[]
  /** The 99th percentile of the delay of the generator itself, in milliseconds. */
  generatorP99: number
  usage: MeterReading
  deliveries: DeliveryTimes
  /** Seconds until jobs, events and deliveries had been processed after the load. */
  drainSeconds: number
}

interface MeasureOptions {
  /** Default: the mix of all operations. */
  operations?: readonly Operation[]
  rate: number
  seconds: number
  /** The same one gives the same operations at the same times. */
  seed: number
}

/**
 * Sends the mix at a rate. The processor time is that of the load and of what it leaves behind, since all of it is a
 * cost of the requests.
 */
export async function measure(load: LoadFleet, settings: MeasureOptions): Promise<Measurement> {
  const { operations = mix, seed, ...options } = settings
  await load.receiver.call('takeArrivals') // forgets those of earlier loads
  const readMeter = startMeter(load.processes)
  const target = { baseUrl: load.fleet.baseUrl, workspaces: load.workspaces }
  const drawn = { mix: operations, random: createRandom(seed) }
  const { outcomes, createdKeys } = await runLoad({ ...target, ...drawn, ...options })
  const deliveries = await measureDeliveries(load, createdKeys)
  const drainSeconds = await waitUntilIdle(load)
  const usage = readMeter()
  return {
    summary: summarize(outcomes, options.seconds),
    outcomes,
    generatorP99: percentiles(outcomes.map(({ lateMs }) => lateMs)).p99,
    usage,
    deliveries,
    drainSeconds,
  }
}

/** Times in milliseconds from the commit of an event to the arrival of a delivery. */
interface DeliveryTimes extends Percentiles {
  expected: number
  /** Deliveries that did not arrive in time. */
  missing: number
}

/** Waits for the deliveries about all created API keys, half a minute at most, and returns their times. */
async function measureDeliveries(load: LoadFleet, createdKeys: readonly string[]): Promise<DeliveryTimes> {
  const arrivedAt = await collectArrivals(load.receiver, createdKeys, 30_000)
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

/** Measures what the processes use without requests. */
export async function measureIdle(load: LoadFleet, seconds: number): Promise<MeterReading> {
  await waitUntilIdle(load)
  const readMeter = startMeter(load.processes)
  await pause(seconds * 1_000)
  return readMeter()
}

/** Returns the processor time in milliseconds per second, of the processes whose name is chosen. */
export const cpuPerSecond = ({ processes, seconds }: MeterReading, isChosen: (name: string) => boolean): number =>
  processes.reduce((sum, { name, cpuMs }) => sum + (isChosen(name) ? cpuMs : 0), 0) / seconds

/** Returns the processor time of one request in milliseconds, beyond that without requests. */
export const cpuPerRequest = (
  { usage, summary }: Measurement,
  idle: MeterReading,
  isChosen: (name: string) => boolean,
): number => ((cpuPerSecond(usage, isChosen) - cpuPerSecond(idle, isChosen)) * usage.seconds) / summary.requests

/** The processes of the platform; the names of those of the load are in parentheses. */
export const isPlatform = (name: string): boolean => !name.startsWith('(')
