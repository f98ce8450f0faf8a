import { type ServiceName, workspaceDeletionStarted } from '@wp/contracts'
import type { Database } from '@wp/database'
import { type Bus, createConsumer, type EventConsumer } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import { startDataDeletion, type WorkspaceDeletionPolicy } from './workspace-deletion.ts'

/** The events by which a service learns of the deletion of a workspace, and the purpose of its consumer. */
export const deletionSubscription = {
  purpose: 'workspace-deletion',
  producer: 'auth',
  kinds: [workspaceDeletionStarted.kind],
} as const satisfies { purpose: string; producer: ServiceName; kinds: readonly string[] }

interface DeletionConsumerOptions {
  database: Database
  /** The broker of the cell whose workspaces are deleted. */
  bus: Bus
  service: ServiceName
  policy?: WorkspaceDeletionPolicy | undefined
  settleMs: number
  log: Log
  metrics: Metrics
}

/** Creates the consumer that starts the deletion of a workspace's rows in the database of a service. */
export function createDeletionConsumer(options: DeletionConsumerOptions): EventConsumer {
  const { database, bus, service, policy, settleMs, log, metrics } = options
  return createConsumer({
    database: database.background,
    bus,
    service,
    ...deletionSubscription,
    async handle({ workspace_id: workspaceId, data }, tx) {
      const { deletion_id: deletionId } = workspaceDeletionStarted.data.parse(data)
      await startDataDeletion(tx, { deletionId, workspaceId, shard: bus.shard }, settleMs, policy)
    },
    log,
    metrics,
  })
}
