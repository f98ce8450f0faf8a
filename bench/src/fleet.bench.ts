import { addSubscriptions, subscribe } from './fleet/bulk/bulk-subscriptions.ts'
import { createWorkspaces } from './fleet/bulk/bulk-workspaces.ts'
import { addAgentAndForecast, uploadSource } from './fleet/bulk/prepare.ts'
import type { LoadWorkspace } from './fleet/load/load-workspace.ts'
import { type LoadFleet, startLoadFleet } from './fleet/load-fleet.ts'
import { measure } from './fleet/measure.ts'
import { type FleetOptions, readOptions } from './fleet/options.ts'
import { parts } from './fleet/parts.ts'
import { printProgress } from './fleet/progress.ts'
import { summarizeCpuProfile } from './harness/cpu-profile.ts'
import { report } from './harness/report.ts'

const workspacesWithAgents = 20
/** Each process of the fleet is stopped when this one exits. */
const maxExitListeners = 40

/**
 * Measures the whole platform, a process of each service and one edge, under a mix of requests of many workspaces that
 * arrive at a rate, whether or not earlier ones have been answered. Parts, of which all run by default:
 *
 * - `mix`: throughput, latency and failures of each operation; processor time and memory of each process; time of
 *   deliveries
 * - `operations`: processor time of each operation, sent alone
 * - `ramp`: the highest rate at which the 99th percentile stays below a limit
 * - `growth`: the cost of a request with more workspaces, records and subscriptions
 *
 * Options, each a number, with their defaults in fleet/options.ts: `--seconds`, `--rate` (requests per second),
 * `--workspaces`, `--records` (of each workspace), `--limit-ms`, `--step-seconds`, `--start-rate` and `--max-rate` of
 * the ramp, `--grow-workspaces`, `--grow-records`, `--grow-subscriptions` and `--seed`. `--profile <process>` reports
 * the functions that use most of the time of a process, `--statements` the statements that took most time of PostgreSQL
 * during the mix.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args)
  process.setMaxListeners(maxExitListeners)
  const load = await startLoadFleet(options.profiled, options.withStatements)
  try {
    const [template, workspaces] = await prepare(load, options)
    printProgress('created the workspaces')
    await measure(load, { workspaces, seed: options.seed, rate: options.rate / 2, seconds: 10 }) // warms up code and connections
    for (const part of options.parts) {
      printProgress(part)
      await parts[part]({ load, options, workspaces, template })
    }
  } finally {
    await load[Symbol.asyncDispose]()
  }
  if (load.profileDirectory !== undefined) report('fleet-profile', summarizeCpuProfile(load.profileDirectory, 40))
}

/** Creates the workspaces of the mix. @returns the id of a subscription to copy, and the workspaces */
async function prepare(
  load: LoadFleet,
  { workspaces: count, records }: FleetOptions,
): Promise<[template: string, workspaces: LoadWorkspace[]]> {
  const { fleet } = load
  printProgress('the fleet runs')
  const workspaces = await createWorkspaces(fleet, count)
  for (const workspace of workspaces) await uploadSource(fleet, workspace, records)
  for (const workspace of workspaces.slice(0, workspacesWithAgents)) await addAgentAndForecast(fleet, workspace)
  const [outside] = await createWorkspaces(fleet, 1)
  if (outside === undefined) throw new Error('no workspace was created')
  const template = await subscribe(fleet, outside, load.receiverUrl)
  await addSubscriptions(fleet, template, workspaces, 1)
  return [template, workspaces]
}
