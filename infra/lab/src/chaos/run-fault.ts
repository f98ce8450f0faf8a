import { setTimeout as pause } from 'node:timers/promises'
import { queryDatabase } from '../query-database.ts'
import { createRandom } from '../random.ts'
import { type CheckResult, checkers, type Invariant, invariants } from './checkers.ts'
import type { Fault } from './faults/fault.ts'
import type { ChaosFleet } from './fleet/chaos-fleet.ts'
import { type Entry, HistoryWriter, pairOperations } from './history.ts'
import { mutants } from './mutants.ts'
import { type ChaosWorkspace, createChaosWorkspace } from './workload/chaos-workspace.ts'
import { startLoad } from './workload/load.ts'
import { createRecorder } from './workload/recorder.ts'
import { type Resource, resources } from './workload/resources.ts'
import { settle } from './workload/settle.ts'
import { countAudited, hasValidAuditChain, readUsage } from './workload/views.ts'

export interface FaultRunOptions {
  seed: number
  /** The number of creations. */
  operations: number
  /** Distinguishes the values of this run from those of others. */
  number: number
  historyFile: string
  /** The mutant that is planted in the history before it is checked. */
  mutant?: string
}

export interface FaultRun {
  fault: Fault
  /** The figures of the fault, for the report. */
  detail: string
  /** Creations by result. */
  counts: Record<'ok' | 'fail' | 'unknown', number>
  /** Refused creations by status and error code. */
  refusals: Record<string, number>
  /** Requests during the fault, and those without a complete response or with a server error. */
  requests: { sent: number; failed: number }
  settleMs: number
  results: Record<Invariant, CheckResult>
  /** Other violations: dead letters, incomplete audit chains. */
  otherProblems: string[]
}

/** The load before and after a fault. */
const marginMs = 3_000

/** Runs the load with a fault, waits until everything has arrived, and checks the history. */
export async function runFault(chaos: ChaosFleet, fault: Fault, options: FaultRunOptions): Promise<FaultRun> {
  const { seed, operations, number, historyFile, mutant } = options
  const history = new HistoryWriter(historyFile)
  const workspaces: ChaosWorkspace[] = []
  for (const name of ['north', 'south'])
    workspaces.push(await createChaosWorkspace(chaos, `w${number}-${name}`, history))
  const baseline = await createBaseline(workspaces)
  const recorder = createRecorder(history, baseline)
  const durationMs = fault.seconds * 1000 + 2 * marginMs
  // Separate generators, because the load takes a number of decisions that depends on the time.
  const load = startLoad({ workspaces, history, recorder, random: createRandom(seed), operations, durationMs })
  await pause(marginMs)
  const detail = await fault.run(chaos, createRandom(seed + 1))
  await pause(marginMs)
  await load.stop()
  const requests = countRequests(workspaces)
  const settleMs = await settle(workspaces, recorder, (workspace, resource) =>
    baseline(workspace, resource, 'audit log'),
  )
  const entries = mutant === undefined ? history.entries : (mutants[mutant]?.apply(history.entries) ?? [])
  return {
    fault,
    detail,
    counts: countResults(entries),
    refusals: countRefusals(entries),
    requests,
    settleMs,
    results: Object.fromEntries(invariants.map((name) => [name, checkers[name](entries)])) as FaultRun['results'], // one entry for each invariant
    otherProblems: [
      ...(fault.isSeamless && requests.failed > 0 ? [`${requests.failed} requests failed`] : []),
      ...findUntriedReads(entries),
      ...(await findBrokenChains(workspaces)),
      ...(await findDeadLetters(chaos)),
    ],
  }
}

const countRequests = (workspaces: readonly ChaosWorkspace[]): FaultRun['requests'] => ({
  sent: workspaces.reduce((sum, { requests }) => sum + requests.sent, 0),
  failed: workspaces.reduce((sum, { requests }) => sum + requests.failed, 0),
})

function countResults(history: readonly Entry[]): FaultRun['counts'] {
  const counts = { ok: 0, fail: 0, unknown: 0 }
  for (const { result } of pairOperations(history, 'add')) counts[result] += 1
  return counts
}

function countRefusals(history: readonly Entry[]): Record<string, number> {
  const refusals: Record<string, number> = {}
  for (const entry of history)
    if (entry.operation === 'add' && entry.type === 'fail')
      refusals[entry.reason ?? ''] = (refusals[entry.reason ?? ''] ?? 0) + 1
  return refusals
}

/** Isolation is proven by attempts that were answered. */
function findUntriedReads(history: readonly Entry[]): string[] {
  const answered = pairOperations(history, 'read-foreign').filter(({ result }) => result === 'ok')
  return answered.length > 0 ? [] : ['no attempt to read from the other workspace was answered']
}

async function findBrokenChains(workspaces: readonly ChaosWorkspace[]): Promise<string[]> {
  const valid = await Promise.all(workspaces.map(hasValidAuditChain))
  return workspaces.flatMap(({ label }, index) => (valid[index] ? [] : [`the audit chain of ${label} is not valid`]))
}

/** Returns a line for each service that has dead letters, and removes them, so that the next fault is not blamed. */
async function findDeadLetters({ fleet }: ChaosFleet): Promise<string[]> {
  const problems: string[] = []
  for (const [service, { adminUrl }] of fleet.databases) {
    const rows = await queryDatabase(adminUrl, 'DELETE FROM platform.dead_events RETURNING *')
    if (rows.length > 0)
      problems.push(`${service} has ${rows.length} dead letters, one of them ${JSON.stringify(rows[0])}`)
  }
  return problems
}

/** Returns the total of a view before the load began. */
type Baseline = (workspace: ChaosWorkspace, resource: Resource, view: string) => number

/** Reads the totals that workspaces have from their creation. */
async function createBaseline(workspaces: readonly ChaosWorkspace[]): Promise<Baseline> {
  const totals = new Map<string, number>()
  const keyOf = (workspace: ChaosWorkspace, resource: Resource, view: string) =>
    `${workspace.label} ${resource.object} ${view}`
  for (const workspace of workspaces)
    for (const resource of resources) {
      totals.set(keyOf(workspace, resource, 'usage'), (await readUsage(workspace, resource)) ?? 0)
      totals.set(keyOf(workspace, resource, 'audit log'), (await countAudited(workspace, resource)) ?? 0)
    }
  return (workspace, resource, view) => totals.get(keyOf(workspace, resource, view)) ?? 0
}
