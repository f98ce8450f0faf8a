import type { ChaosWorkspace } from './chaos-workspace.ts'
import { type Resource, resources } from './resources.ts'
import { countAudited, readUsage } from './views.ts'

/** Returns the total of a view before the load began. */
export type Baseline = (workspace: ChaosWorkspace, resource: Resource, view: string) => number

/** Reads the totals that workspaces have from their creation. */
export async function createBaseline(workspaces: readonly ChaosWorkspace[]): Promise<Baseline> {
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
