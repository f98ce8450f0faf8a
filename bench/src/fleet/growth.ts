import type { MeterReading } from '../harness/process-meter.ts'
import { copySource } from './bulk/bulk-sources.ts'
import { addSubscriptions } from './bulk/bulk-subscriptions.ts'
import { createWorkspaces } from './bulk/bulk-workspaces.ts'
import { addAgentAndForecast, requireSearchable, uploadSource } from './bulk/prepare.ts'
import { withClient } from './bulk/with-client.ts'
import type { LoadWorkspace } from './load/load-workspace.ts'
import { formatFailures } from './load/outcomes.ts'
import type { LoadFleet } from './load-fleet.ts'
import { cpuPerRequest, cpuPerSecond, isPlatform, isService, type Measurement } from './measure.ts'
import { printProgress } from './progress.ts'

/** A size of the platform at which its cost is measured. */
export interface Cell {
  name: string
  /** The workspaces under load; others exist beside them. */
  workspaces: readonly LoadWorkspace[]
  /** Of the source of each workspace. */
  records: number
  subscriptions: number
}

export interface GrowthOptions {
  /** Workspaces with one source of `records` records and one subscription. */
  workspaces: readonly LoadWorkspace[]
  records: number
  /** The id of a subscription to copy. */
  template: string
  largest: { workspaces: number; records: number; subscriptions: number }
}

/** Records of each source when there are many workspaces. */
const recordsOfMany = 10
const workspacesWithAgents = 20

/** Yields the sizes, from small to large, as soon as each has been created. */
export async function* growFleet(
  load: LoadFleet,
  { workspaces, records, template, largest }: GrowthOptions,
): AsyncGenerator<Cell> {
  const { fleet } = load
  yield { name: 'one workspace', workspaces: workspaces.slice(0, 1), records, subscriptions: 1 }

  const [large] = await createWorkspaces(fleet, 1)
  if (large === undefined) throw new Error('no workspace was created')
  await uploadSource(fleet, large, largest.records)
  await vacuum(load)
  printProgress(`uploaded ${largest.records} records`)
  await addSubscriptions(fleet, template, [large], 1)
  await addAgentAndForecast(fleet, large)
  yield { name: 'records', workspaces: [large], records: largest.records, subscriptions: 1 }

  yield { name: 'workspaces', workspaces, records, subscriptions: 1 }

  const few = Math.max(1, Math.round(Math.sqrt(largest.subscriptions)))
  for (const subscriptions of new Set([few, largest.subscriptions])) {
    const missing = subscriptions - (workspaces[0]?.subscriptions ?? 0)
    if (missing > 0) await addSubscriptions(fleet, template, workspaces, missing)
    yield { name: 'subscriptions', workspaces, records, subscriptions }
  }

  await removeSubscriptions(load, workspaces)
  const many = await createWorkspaces(fleet, largest.workspaces)
  printProgress(`created ${largest.workspaces} workspaces`)
  const [first] = many
  if (first === undefined) throw new Error('no workspace was created')
  await uploadSource(fleet, first, recordsOfMany)
  await copySource(fleet, first, many.slice(1))
  printProgress('copied their sources')
  await addSubscriptions(fleet, template, many, 1)
  for (const workspace of many.slice(0, workspacesWithAgents)) await addAgentAndForecast(fleet, workspace)
  await requireSearchable(fleet, many.at(-1) ?? first)
  await vacuum(load)
  yield { name: 'workspaces', workspaces: many, records: recordsOfMany, subscriptions: 1 }

  // The difference from the first time is that of the machine, or of what else is in the databases.
  yield { name: 'again', workspaces, records, subscriptions: 1 }
}

/** Does what autovacuum would do during the next measurement. */
async function vacuum({ fleet }: LoadFleet): Promise<void> {
  for (const { adminUrl } of fleet.databases.values())
    await withClient(adminUrl, (client) => client.query('VACUUM (ANALYZE)'))
}

/** Leaves each workspace its last subscription alone. */
async function removeSubscriptions({ fleet }: LoadFleet, workspaces: readonly LoadWorkspace[]): Promise<void> {
  const ids = workspaces.map(({ workspaceId }) => workspaceId)
  const kept = workspaces.map(({ webhookId }) => webhookId)
  await withClient(fleet.databases.get('webhook-delivery')?.adminUrl, (client) =>
    client.query('DELETE FROM subscriptions WHERE workspace_id = ANY($1) AND NOT webhook_id = ANY($2)', [ids, kept]),
  )
  for (const workspace of workspaces) workspace.subscriptions = 1
}

/** Returns the row of a table. Processor times are in milliseconds a request, beyond those without requests. */
export function formatCell(
  { name, workspaces, records, subscriptions }: Cell,
  measured: Measurement,
  idle: MeterReading,
): Record<string, string | number> {
  const { summary, usage, deliveries } = measured
  const memoryOf = (isChosen: (name: string) => boolean) =>
    Math.round(usage.processes.reduce((sum, { name, pssMiB }) => sum + (isChosen(name) ? pssMiB : 0), 0))
  return {
    growth: name,
    workspaces: workspaces.length,
    records,
    subscriptions,
    'requests/s': summary.perSecond,
    'p50 ms': summary.p50,
    'p95 ms': summary.p95,
    'p99 ms': summary.p99,
    failures: formatFailures(summary),
    'idle CPU ms/s': Math.round(cpuPerSecond(idle, isPlatform)),
    'CPU ms a request': cpuPerRequest(measured, idle, isPlatform),
    gateway: cpuPerRequest(measured, idle, (process) => process === 'gateway'),
    services: cpuPerRequest(measured, idle, isService),
    PostgreSQL: cpuPerRequest(measured, idle, (process) => process === 'PostgreSQL'),
    broker: cpuPerRequest(measured, idle, (process) => process === 'broker'),
    'memory MiB': memoryOf(isPlatform),
    'gateway MiB': memoryOf((process) => process === 'gateway'),
    'PostgreSQL MiB': memoryOf((process) => process === 'PostgreSQL'),
    'broker MiB': memoryOf((process) => process === 'broker'),
    deliveries: deliveries.expected,
    missing: deliveries.missing,
    'delivery p95 ms': deliveries.p95,
  }
}
