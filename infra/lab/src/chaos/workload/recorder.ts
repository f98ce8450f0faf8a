import type { HistoryWriter } from '../history.ts'
import type { ChaosWorkspace } from './chaos-workspace.ts'
import type { Resource } from './resources.ts'

/** Records reads in the history. A function that returns undefined could not read. */
export interface Recorder {
  readSet(
    workspace: ChaosWorkspace,
    resource: Resource,
    view: string,
    read: () => Promise<readonly string[] | undefined>,
  ): Promise<void>
  readTotal(
    workspace: ChaosWorkspace,
    resource: Resource,
    view: string,
    read: () => Promise<number | undefined>,
  ): Promise<void>
  readForeign(
    workspace: ChaosWorkspace,
    object: string,
    read: () => Promise<readonly string[] | undefined>,
  ): Promise<void>
}

/**
 * Creates a recorder. Each workspace has one read in progress at most.
 * @param baseline returns the total of a view before the load began, which is subtracted
 */
export function createRecorder(
  history: HistoryWriter,
  baseline: (workspace: ChaosWorkspace, resource: Resource, view: string) => number,
): Recorder {
  const reader = ({ label }: ChaosWorkspace, object: string) => ({
    client: `${label} reader`,
    workspace: label,
    object,
  })

  return {
    async readSet(workspace, { object }, view, read) {
      const entry = { ...reader(workspace, object), operation: 'read-set', view } as const
      history.record({ ...entry, type: 'invoke' })
      const values = await read()
      history.record(values === undefined ? { ...entry, type: 'fail' } : { ...entry, type: 'ok', values })
    },
    async readTotal(workspace, resource, view, read) {
      const entry = { ...reader(workspace, resource.object), operation: 'read-total', view } as const
      history.record({ ...entry, type: 'invoke' })
      const total = await read()
      const change = total === undefined ? undefined : total - baseline(workspace, resource, view)
      history.record(change === undefined ? { ...entry, type: 'fail' } : { ...entry, type: 'ok', total: change })
    },
    async readForeign(workspace, object, read) {
      const entry = { ...reader(workspace, object), operation: 'read-foreign' } as const
      history.record({ ...entry, type: 'invoke' })
      const values = await read()
      history.record(values === undefined ? { ...entry, type: 'fail' } : { ...entry, type: 'ok', values })
    },
  }
}
