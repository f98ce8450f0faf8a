import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '@wp/lab/random'
import { type Outcome, type Summary, summarize } from '../harness/open-loop.ts'
import { type MeterReading, startMeter } from '../harness/process-usage.ts'
import { percentiles } from '../harness/statistics.ts'
import { type DeliveryTimes, measureDeliveries } from './deliveries.ts'
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

export interface MeasureOptions {
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
export async function measure(
  load: LoadFleet,
  { operations = mix, seed, ...options }: MeasureOptions,
): Promise<Measurement> {
  await load.receiver.call('takeArrivals') // forgets those of earlier loads
  const readMeter = startMeter(load.processes)
  const { outcomes, createdKeys } = await runLoad({
    baseUrl: load.fleet.baseUrl,
    mix: operations,
    workspaces: load.workspaces,
    random: createRandom(seed),
    ...options,
  })
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
