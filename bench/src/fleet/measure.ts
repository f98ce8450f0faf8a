import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type MeterReading, startMeter } from '../harness/process-meter.ts'
import { createRandom } from '../search/synthetic-corpus.ts'
import { type DeliveryTimes, forgetArrivals, measureDeliveries } from './deliveries.ts'
import type { Outcome } from './load/generator.ts'
import type { LoadWorkspace } from './load/load-workspace.ts'
import { mix, type Operation } from './load/mix.ts'
import { type Summary, summarize } from './load/outcomes.ts'
import { runLoad } from './load/run-load.ts'
import type { LoadFleet } from './load-fleet.ts'
import { waitUntilIdle } from './wait-until-idle.ts'

export interface Measurement {
  summary: Summary
  outcomes: Outcome<Operation>[]
  /** The 99th percentile of the delay of the generator itself, in milliseconds. */
  generatorP99: number
  usage: MeterReading
  deliveries: DeliveryTimes
  /** Seconds until jobs, events and deliveries had been processed after the load. */
  drainSeconds: number
  /** The load average of one minute, at the end. */
  loadAverage: number
}

export interface MeasureOptions {
  /** Default: the mix of all operations. */
  operations?: readonly Operation[]
  workspaces: readonly LoadWorkspace[]
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
  await forgetArrivals(load)
  const readMeter = startMeter(load.processes)
  const { outcomes, events } = await runLoad({
    baseUrl: load.fleet.baseUrl,
    mix: operations,
    random: createRandom(seed),
    ...options,
  })
  const deliveries = await measureDeliveries(load, events)
  const drainSeconds = await waitUntilIdle(load)
  const usage = readMeter()
  const delays = outcomes.map(({ lateMs }) => ({ status: 200, latencyMs: lateMs }))
  return {
    summary: summarize(outcomes, options.seconds),
    outcomes,
    generatorP99: summarize(delays, options.seconds).p99,
    usage,
    deliveries,
    drainSeconds,
    loadAverage: loadavg()[0] ?? Number.NaN,
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
/** The processes of services, without the edge and the servers. */
export const isService = (name: string): boolean =>
  isPlatform(name) && !['gateway', 'PostgreSQL', 'broker'].includes(name)
