import { eventually } from '@wp/testkit'
import type { ChaosWorkspace } from './chaos-workspace.ts'
import type { Recorder } from './recorder.ts'
import { reportedResource, resources } from './resources.ts'
import { countAudited, listValues, readUsage } from './views.ts'

/** The time in which everything must have arrived after a fault. */
const settleTimeoutMs = 90_000

/**
 * Waits until all deliveries and audit records of the workspaces have arrived, at most a certain time, then reads every
 * view of every resource once.
 * @returns the waiting time in milliseconds
 */
export async function settle(
  workspaces: readonly ChaosWorkspace[],
  recorder: Recorder,
  auditBaseline: (workspace: ChaosWorkspace, resource: (typeof resources)[number]) => number,
): Promise<number> {
  const startedAt = performance.now()

  async function hasArrived(workspace: ChaosWorkspace): Promise<boolean> {
    for (const resource of resources) {
      const values = await listValues(workspace, resource)
      const audited = await countAudited(workspace, resource)
      if (values === undefined || audited === undefined) return false
      if (audited - auditBaseline(workspace, resource) < values.length) return false
      if (resource === reportedResource && !haveReported(workspace, values)) return false
    }
    return true
  }

  const hasAllArrived = async () => (await Promise.all(workspaces.map(hasArrived))).every(Boolean)
  // The checkers report anything that did not arrive.
  await eventually(hasAllArrived, { timeoutMs: settleTimeoutMs, intervalMs: 500 }).catch(() => undefined)
  const elapsedMs = performance.now() - startedAt
  for (const workspace of workspaces) await readEverything(workspace, recorder)
  return elapsedMs
}

function haveReported({ deliveries }: ChaosWorkspace, values: readonly string[]): boolean {
  return Object.values(deliveries).every((received) => {
    const reported = new Set(received.values())
    return values.every((value) => reported.has(value))
  })
}

async function readEverything(workspace: ChaosWorkspace, recorder: Recorder): Promise<void> {
  for (const resource of resources) {
    await recorder.readSet(workspace, resource, 'list', () => listValues(workspace, resource))
    await recorder.readTotal(workspace, resource, 'usage', () => readUsage(workspace, resource))
    await recorder.readTotal(workspace, resource, 'audit log', () => countAudited(workspace, resource))
  }
  for (const [ordering, received] of Object.entries(workspace.deliveries))
    await recorder.readSet(workspace, reportedResource, `${ordering} deliveries`, async () => [...received.values()])
}
