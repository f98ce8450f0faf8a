import { type LoadFleet, withLoadFleet } from './fleet/load-fleet.ts'
import { cpuPerRequest, cpuPerSecond, isPlatform, type Measurement, measure, measureIdle } from './fleet/measure.ts'
import { mix } from './fleet/mix.ts'
import { findSaturation } from './fleet/saturation.ts'
import { type Summary, summarize } from './harness/open-loop.ts'
import type { MeterReading } from './harness/process-usage.ts'
import { type Row, report } from './harness/report.ts'
import { percentileColumns } from './harness/statistics.ts'
import { chosenEntries, type NameOf } from './names.ts'

type RampOptions = Record<'limit-ms' | 'step-seconds' | 'start-rate' | 'max-rate', number>
type Options = Record<'seconds' | 'rate' | 'workspaces' | 'records' | 'seed', number> & RampOptions

const idleSeconds = 5
/** The duration of the load of one operation. */
const operationSeconds = 4
/** Failures of all requests up to which a rate counts as sustained. */
const sustainedFailures = 0.001

/**
 * Measures the whole platform, a process of each service and one edge, under a mix of requests of many workspaces that
 * arrive at a rate, whether or not earlier ones have been answered.
 */
export async function run(options: Options, chosen: readonly string[]): Promise<void> {
  await withLoadFleet(options, async (load) => {
    await measure(load, { seed: options.seed, rate: options.rate / 2, seconds: 10 }) // warms up code and connections
    for (const [, part] of chosenEntries(parts, chosen)) await part(load, options)
  })
}

/** The parts of the benchmark. Each prints and writes its tables. */
const parts: Readonly<Record<NameOf<'fleet'>, (load: LoadFleet, options: Options) => Promise<void>>> = {
  async mix(load, { rate, seconds, seed, workspaces }) {
    const idle = await measureIdle(load, idleSeconds)
    const measured = await measure(load, { seed, rate, seconds })
    const outcomesOf = Map.groupBy(measured.outcomes, ({ operation }) => operation)
    const rows = [...outcomesOf].map(([{ name, share }, outcomes]) => ({
      operation: name,
      'share %': share,
      ...formatSummary(summarize(outcomes, seconds)),
    }))
    const { deliveries, drainSeconds, generatorP99, usage, summary } = measured
    report('fleet-mix', [...rows, { operation: 'all', 'share %': 100, ...formatSummary(summary) }], {
      rate,
      seconds,
      seed,
      workspaces,
      deliveries,
      drainSeconds,
      generatorP99,
      otherCpuMsPerSecond: usage.otherCpuMs / usage.seconds,
    })
    report('fleet-processes', formatProcesses(measured, idle), {
      'idle CPU ms/s': cpuPerSecond(idle, isPlatform),
      'CPU ms a request': cpuPerRequest(measured, idle, isPlatform),
    })
  },

  async operations(load, { rate, seed }) {
    const idle = await measureIdle(load, idleSeconds)
    const rows: Row[] = []
    for (const operation of mix) {
      // Forecasts are worth dozens of other requests, and would wait for each other.
      const own = Math.max(2, operation.name === 'start forecast' ? rate / 10 : rate)
      const options = { operations: [operation], seed, rate: own, seconds: operationSeconds }
      rows.push(formatOperation(operation.name, await measure(load, options), idle))
    }
    report('fleet-operations', rows, { rate, seconds: operationSeconds })
  },

  async ramp(load, { 'start-rate': startRate, 'max-rate': maxRate, 'limit-ms': limitMs, ...options }) {
    const { 'step-seconds': seconds, seed } = options
    const idle = await measureIdle(load, idleSeconds)
    const { rate, steps } = await findSaturation({
      startRate,
      maxRate,
      factor: 1.5,
      refinements: 3,
      maxSteps: 12,
      async measure(stepRate) {
        const measured = await measure(load, { seed, rate: stepRate, seconds })
        const { p99, failures, requests } = measured.summary
        return { rate: stepRate, measured, isSustained: p99 <= limitMs && failures <= requests * sustainedFailures }
      },
    })
    const rows = steps.map(({ rate: stepRate, isSustained, measured }) => ({
      rate: stepRate,
      sustained: isSustained ? 'yes' : 'no',
      ...formatSummary(measured.summary),
      'CPU ms a request': cpuPerRequest(measured, idle, isPlatform),
      'delivery p95 ms': measured.deliveries.p95,
      'drained after s': measured.drainSeconds,
      'generator p99 ms': measured.generatorP99,
      'other CPU ms/s': Math.round(measured.usage.otherCpuMs / measured.usage.seconds),
    }))
    report('fleet-ramp', rows, { saturation: rate ?? null, limitMs, seconds })
  },
}

const formatSummary = (summary: Summary) => ({
  requests: summary.requests,
  'per s': summary.perSecond,
  ...percentileColumns(summary),
  failures: formatFailures(summary),
})

/** Returns the failures as text, for example `503: 2, TimeoutError: 1`. */
const formatFailures = ({ failuresByStatus }: Summary): string =>
  Object.entries(failuresByStatus)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')

const formatProcesses = (measured: Measurement, idle: MeterReading): Row[] =>
  measured.usage.processes.map(({ name, pssMiB }, index) => {
    const isThis = (other: string) => other === name
    return {
      process: name,
      'idle CPU ms/s': cpuPerSecond(idle, isThis),
      'CPU ms/s': cpuPerSecond(measured.usage, isThis),
      'CPU ms a request': cpuPerRequest(measured, idle, isThis),
      'idle MiB': Math.round(idle.processes[index]?.pssMiB ?? Number.NaN),
      'memory MiB': Math.round(pssMiB),
    }
  })

/** Returns the processor time of one operation: of the edge, PostgreSQL, the broker, and each service with some. */
function formatOperation(name: string, measured: Measurement, idle: MeterReading): Row {
  const costOf = (process: string) => cpuPerRequest(measured, idle, (other) => other === process)
  const servers = ['gateway', 'PostgreSQL', 'broker']
  const services = measured.usage.processes
    .filter((process) => isPlatform(process.name) && !servers.includes(process.name))
    .map((process) => ({ process: process.name, cost: costOf(process.name) }))
    .filter(({ cost }) => cost >= 0.3)
    .sort((a, b) => b.cost - a.cost)
  return {
    operation: name,
    requests: measured.summary.requests,
    failures: formatFailures(measured.summary),
    'CPU ms a request': cpuPerRequest(measured, idle, isPlatform),
    ...Object.fromEntries(servers.map((server) => [server, costOf(server)])),
    services: services.map(({ process, cost }) => `${process} ${cost.toFixed(1)}`).join(', '),
  }
}
