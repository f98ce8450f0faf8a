import type { HistoryWriter } from '../history.ts'
import type { ChaosWorkspace } from './chaos-workspace.ts'
import type { Resource } from './resources.ts'

export type Recorder = ReturnType<typeof createRecorder>

/**
 * Creates a recorder of reads in the history. Each workspace has one read in progress at most. A function that returns
 * undefined could not read.
 * @param baseline returns the total of a view before the load began, which is subtracted
 */
export function createRecorder(
  history: HistoryWriter,
  baseline: (workspace: ChaosWorkspace, resource: Resource, view: string) => number,
) {
  const reader = ({ label }: ChaosWorkspace, object: string) => ({
    client: `${label} reader`,
    workspace: label,
    object,
  })
  type Read<Value> = () => Promise<Value | undefined>

  return {
    async readSet(workspace: ChaosWorkspace, { object }: Resource, view: string, read: Read<readonly string[]>) {
      const entry = { ...reader(workspace, object), operation: 'read-set', view } as const
      history.record({ ...entry, type: 'invoke' })
      const values = await read()
      history.record(values === undefined ? { ...entry, type: 'fail' } : { ...entry, type: 'ok', values })
    },
    async readTotal(workspace: ChaosWorkspace, resource: Resource, view: string, read: Read<number>) {
      const entry = { ...reader(workspace, resource.object), operation: 'read-total', view } as const
      history.record({ ...entry, type: 'invoke' })
      const total = await read()
      const change = total === undefined ? undefined : total - baseline(workspace, resource, view)
      history.record(change === undefined ? { ...entry, type: 'fail' } : { ...entry, type: 'ok', total: change })
    },
    async readForeign(workspace: ChaosWorkspace, object: string, read: Read<readonly string[]>) {
      const entry = { ...reader(workspace, object), operation: 'read-foreign' } as const
      history.record({ ...entry, type: 'invoke' })
      const values = await read()
      history.record(values === undefined ? { ...entry, type: 'fail' } : { ...entry, type: 'ok', values })
    },
  }
}
