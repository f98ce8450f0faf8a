import type { MeterReading } from '../harness/process-meter.ts'
import { report } from '../harness/report.ts'
import { formatCell, growFleet } from './growth.ts'
import type { LoadWorkspace } from './load/load-workspace.ts'
import { mix } from './load/mix.ts'
import { formatFailures, type Summary, summarizeByOperation } from './load/outcomes.ts'
import type { LoadFleet } from './load-fleet.ts'
import { cpuPerRequest, cpuPerSecond, isPlatform, type Measurement, measure, measureIdle } from './measure.ts'
import type { FleetOptions, PartName } from './options.ts'
import { findSaturation } from './saturation.ts'
import { readStatements, resetStatements } from './statements.ts'

export interface BenchContext {
  load: LoadFleet
  options: FleetOptions
  workspaces: readonly LoadWorkspace[]
  /** The id of a subscription to copy. */
  template: string
}

const idleSeconds = 5
/** The duration of the load of one operation. */
const operationSeconds = 4
/** Failures of all requests up to which a rate counts as sustained. */
const sustainedFailures = 0.001
const reportedStatements = 30

/** The parts of the benchmark. Each prints and writes its tables. */
export const parts: Readonly<Record<PartName, (context: BenchContext) => Promise<void>>> = {
  async mix({ load, options: { rate, seconds, seed, withStatements }, workspaces }) {
    const idle = await measureIdle(load, idleSeconds)
    if (withStatements) await resetStatements(load.postgresUrl)
    const measured = await measure(load, { workspaces, seed, rate, seconds })
    if (withStatements) report('fleet-statements', await readStatements(load.postgresUrl, reportedStatements))
    const summaries = summarizeByOperation(measured.outcomes, seconds)
    const rows = mix.flatMap((operation) => {
      const summary = summaries.get(operation)
      const share = { 'share %': operation.share }
      return summary === undefined ? [] : [{ operation: operation.name, ...share, ...formatSummary(summary) }]
    })
    const { deliveries, drainSeconds, generatorP99, loadAverage, usage, summary } = measured
    report('fleet-mix', [...rows, { operation: 'all', 'share %': 100, ...formatSummary(summary) }], {
      ...{ rate, seconds, seed, workspaces: workspaces.length, deliveries, drainSeconds, generatorP99, loadAverage },
      otherCpuMsPerSecond: usage.otherCpuMs / usage.seconds,
    })
    report('fleet-processes', formatProcesses(measured, idle), {
      'idle CPU ms/s': cpuPerSecond(idle, isPlatform),
      'CPU ms a request': cpuPerRequest(measured, idle, isPlatform),
    })
  },

  async operations({ load, options: { rate, seed }, workspaces }) {
    const idle = await measureIdle(load, idleSeconds)
    const rows = []
    for (const operation of mix) {
      // Forecasts are worth dozens of other requests, and would wait for each other.
      const own = Math.max(2, operation.name === 'start forecast' ? rate / 10 : rate)
      const options = { operations: [operation], workspaces, seed, rate: own, seconds: operationSeconds }
      rows.push(formatOperation(operation.name, await measure(load, options), idle))
    }
    report('fleet-operations', rows, { rate, seconds: operationSeconds })
  },

  async ramp({ load, options, workspaces }) {
    const { startRate, maxRate, limitMs, stepSeconds: seconds, seed } = options
    const idle = await measureIdle(load, idleSeconds)
    const { rate, steps } = await findSaturation({
      ...{ startRate, maxRate, factor: 1.5, refinements: 3, maxSteps: 12 },
      async measure(stepRate) {
        const measured = await measure(load, { workspaces, seed, rate: stepRate, seconds })
        const { p99, failures, requests } = measured.summary
        return { rate: stepRate, measured, isSustained: p99 <= limitMs && failures <= requests * sustainedFailures }
      },
    })
    report(
      'fleet-ramp',
      steps.map(({ rate: stepRate, isSustained, measured }) => ({
        rate: stepRate,
        sustained: isSustained ? 'yes' : 'no',
        ...formatSummary(measured.summary),
        'CPU ms a request': cpuPerRequest(measured, idle, isPlatform),
        'delivery p95 ms': measured.deliveries.p95,
        'drained after s': measured.drainSeconds,
        'generator p99 ms': measured.generatorP99,
        ...formatMachine(measured),
      })),
      { saturation: rate ?? null, limitMs, seconds, busiest: steps.map(({ measured }) => busiestProcesses(measured)) },
    )
  },

  async growth({ load, options, workspaces, template }) {
    const { rate, seconds, seed, records, growth: largest } = options
    const rows = []
    for await (const cell of growFleet(load, { workspaces, records, template, largest })) {
      const target = { workspaces: cell.workspaces, seed, rate }
      await measure(load, { ...target, seconds: Math.min(5, seconds) }) // fills caches with what was just created
      const idle = await measureIdle(load, idleSeconds)
      const measured = await measure(load, { ...target, seconds })
      const row = { ...formatCell(cell, measured, idle), ...formatMachine(measured) }
      process.stdout.write(`${JSON.stringify(row)}\n`)
      rows.push(row)
    }
    report('fleet-growth', rows, { rate, seconds })
  },
}

const formatSummary = (summary: Summary) => ({
  requests: summary.requests,
  'per s': summary.perSecond,
  'p50 ms': summary.p50,
  'p95 ms': summary.p95,
  'p99 ms': summary.p99,
  failures: formatFailures(summary),
})

/** The other work of the machine. */
const formatMachine = ({ usage, loadAverage }: Measurement) => ({
  'other CPU ms/s': Math.round(usage.otherCpuMs / usage.seconds),
  'load average': loadAverage,
})

const formatProcesses = (measured: Measurement, idle: MeterReading) =>
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

/**
 * Returns the processor time of one operation: of the edge, PostgreSQL, the broker, and the services with most of it.
 */
function formatOperation(name: string, measured: Measurement, idle: MeterReading) {
  const costOf = (process: string) => cpuPerRequest(measured, idle, (other) => other === process)
  const others = measured.usage.processes
    .filter((process) => isPlatform(process.name) && !['gateway', 'PostgreSQL', 'broker'].includes(process.name))
    .map((process) => ({ process: process.name, cost: costOf(process.name) }))
    .filter(({ cost }) => cost >= 0.3)
    .sort((a, b) => b.cost - a.cost)
  return {
    operation: name,
    requests: measured.summary.requests,
    failures: formatFailures(measured.summary),
    'CPU ms a request': cpuPerRequest(measured, idle, isPlatform),
    gateway: costOf('gateway'),
    PostgreSQL: costOf('PostgreSQL'),
    broker: costOf('broker'),
    services: others.map(({ process, cost }) => `${process} ${cost.toFixed(1)}`).join(', '),
  }
}

/** Returns the processes with the most processor time, in milliseconds per second. */
const busiestProcesses = ({ usage }: Measurement): Record<string, number> =>
  Object.fromEntries(
    usage.processes
      .toSorted((a, b) => b.cpuMs - a.cpuMs)
      .slice(0, 5)
      .map(({ name, cpuMs }) => [name, Math.round(cpuMs / usage.seconds)]),
  )
