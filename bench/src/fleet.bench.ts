import { addSubscriptions, subscribe } from './fleet/bulk-subscriptions.ts'
import { createWorkspaces } from './fleet/bulk-workspaces.ts'
import { formatCell, growFleet } from './fleet/growth.ts'
import { type LoadFleet, startLoadFleet } from './fleet/load-fleet.ts'
import type { LoadWorkspace } from './fleet/load-workspace.ts'
import { cpuPerRequest, cpuPerSecond, isPlatform, type Measurement, measure, measureIdle } from './fleet/measure.ts'
import { mix } from './fleet/mix.ts'
import { type FleetOptions, readOptions } from './fleet/options.ts'
import { summarizeByOperation } from './fleet/outcomes.ts'
import { addAgentAndForecast, uploadSource } from './fleet/prepare.ts'
import type { Random } from './fleet/random.ts'
import { findSaturation } from './fleet/saturation.ts'
import { summarizeCpuProfile } from './harness/cpu-profile.ts'
import { report } from './harness/report.ts'
import { createRandom } from './search/synthetic-corpus.ts'

/**
 * Measures the whole platform, a process of each service and one edge, under a mix of requests of many workspaces that
 * arrive at a rate, whether or not earlier ones have been answered. Parts, of which all run by default:
 *
 * - `mix`: throughput, latency and failures of each operation; processor time and memory of each process; time of deliveries
 * - `ramp`: the highest rate at which the 99th percentile stays below a limit
 * - `growth`: the cost of a request with more workspaces, records and subscriptions
 *
 * Options, each a number, with their defaults in fleet/options.ts: `--seconds`, `--rate` (requests per second),
 * `--workspaces`, `--records` (of each workspace), `--limit-ms`, `--step-seconds` and `--max-rate` of the ramp,
 * `--grow-workspaces`, `--grow-records`, `--grow-subscriptions` and `--seed`; `--profile <process>` reports the functions
 * that use most of the time of a process.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args)
  process.setMaxListeners(40) // each process of the fleet is stopped when this one exits
  const random = createRandom(options.seed)
  const load = await startLoadFleet(options.profiled)
  try {
    const [template, workspaces] = await prepare(load, options)
    const context = { load, options, workspaces, random }
    await measure(load, { workspaces, random, rate: options.rate / 2, seconds: 10 }) // warms up code and connections
    if (options.parts.includes('mix')) await measureMix(context)
    if (options.parts.includes('ramp')) await measureRamp(context)
    if (options.parts.includes('growth')) await measureGrowth(context, template)
  } finally {
    await load[Symbol.asyncDispose]()
  }
  if (load.profileDirectory !== undefined) report('fleet-profile', summarizeCpuProfile(load.profileDirectory, 40))
}

const idleSeconds = 5

interface BenchContext {
  load: LoadFleet
  options: FleetOptions
  workspaces: readonly LoadWorkspace[]
  random: Random
}

const workspacesWithAgents = 20

/** Creates the workspaces of the mix. @returns the id of a subscription to copy, and the workspaces */
async function prepare(
  load: LoadFleet,
  { workspaces: count, records }: FleetOptions,
): Promise<[template: string, workspaces: LoadWorkspace[]]> {
  const { fleet } = load
  const workspaces = await createWorkspaces(fleet, count)
  for (const workspace of workspaces) await uploadSource(fleet, workspace, records)
  for (const workspace of workspaces.slice(0, workspacesWithAgents)) await addAgentAndForecast(fleet, workspace)
  const [outside] = await createWorkspaces(fleet, 1)
  if (outside === undefined) throw new Error('no workspace was created')
  const template = await subscribe(fleet, outside, load.receiverUrl)
  await addSubscriptions(fleet, template, workspaces, 1)
  return [template, workspaces]
}

async function measureMix({ load, options: { rate, seconds, seed }, workspaces, random }: BenchContext): Promise<void> {
  const idle = await measureIdle(load, idleSeconds)
  const measured = await measure(load, { workspaces, random, rate, seconds })
  const summaries = summarizeByOperation(measured.outcomes, seconds)
  const rows = mix.flatMap((operation) => {
    const summary = summaries.get(operation)
    return summary === undefined
      ? []
      : [{ operation: operation.name, 'share %': operation.share, ...formatSummary(summary) }]
  })
  const { deliveries, drainSeconds, generatorP99, loadAverage, usage, summary } = measured
  report('fleet-mix', [...rows, { operation: 'all', 'share %': 100, ...formatSummary(summary) }], {
    rate,
    seconds,
    seed,
    workspaces: workspaces.length,
    deliveries,
    drainSeconds,
    generatorP99,
    loadAverage,
    otherCpuMsPerSecond: usage.otherCpuMs / usage.seconds,
  })
  report(
    'fleet-processes',
    usage.processes.map(({ name, pssMiB }, index) => {
      const isThis = (other: string) => other === name
      return {
        process: name,
        'idle CPU ms/s': cpuPerSecond(idle, isThis),
        'CPU ms/s': cpuPerSecond(usage, isThis),
        'CPU ms a request': cpuPerRequest(measured, idle, isThis),
        'idle MiB': Math.round(idle.processes[index]?.pssMiB ?? Number.NaN),
        'memory MiB': Math.round(pssMiB),
      }
    }),
    {
      'idle CPU ms/s': cpuPerSecond(idle, isPlatform),
      'CPU ms a request': cpuPerRequest(measured, idle, isPlatform),
      memoryMiB: Math.round(
        usage.processes.reduce((sum, { name, pssMiB }) => sum + (isPlatform(name) ? pssMiB : 0), 0),
      ),
    },
  )
}

const formatSummary = ({ requests, perSecond, p50, p95, p99, failuresByStatus }: Measurement['summary']) => ({
  requests,
  'per s': perSecond,
  'p50 ms': p50,
  'p95 ms': p95,
  'p99 ms': p99,
  failures: Object.entries(failuresByStatus)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
})

/** Failures of all requests up to which a rate counts as sustained. */
const sustainedFailures = 0.001

async function measureRamp({ load, options, workspaces, random }: BenchContext): Promise<void> {
  const { rate: startRate, maxRate, limitMs, stepSeconds: seconds } = options
  const idle = await measureIdle(load, idleSeconds)
  const { rate, steps } = await findSaturation({
    startRate,
    maxRate,
    factor: 1.5,
    refinements: 3,
    maxSteps: 12,
    async measure(stepRate) {
      const measured = await measure(load, { workspaces, random, rate: stepRate, seconds })
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
      'other CPU ms/s': Math.round(measured.usage.otherCpuMs / measured.usage.seconds),
      'load average': measured.loadAverage,
    })),
    { saturation: rate ?? null, limitMs, seconds, busiest: steps.map(({ measured }) => busiestProcesses(measured)) },
  )
}

/** Returns the processes with the most processor time, in milliseconds per second. */
const busiestProcesses = ({ usage }: Measurement): Record<string, number> =>
  Object.fromEntries(
    usage.processes
      .toSorted((a, b) => b.cpuMs - a.cpuMs)
      .slice(0, 5)
      .map(({ name, cpuMs }) => [name, Math.round(cpuMs / usage.seconds)]),
  )

async function measureGrowth({ load, options, workspaces, random }: BenchContext, template: string): Promise<void> {
  const { rate, seconds, records, growth: largest } = options
  const rows = []
  for await (const cell of growFleet(load, { workspaces, records, template, largest })) {
    // Caches and connections of what was just created.
    await measure(load, { workspaces: cell.workspaces, random, rate, seconds: Math.min(5, seconds) })
    const idle = await measureIdle(load, idleSeconds)
    const row = formatCell(cell, await measure(load, { workspaces: cell.workspaces, random, rate, seconds }), idle)
    process.stdout.write(`${JSON.stringify(row)}\n`)
    rows.push(row)
  }
  report('fleet-growth', rows, { rate, seconds })
}
