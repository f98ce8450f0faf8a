import { type RetainedTable, type ServiceName, workspaceDeletionStarted } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import { type Bus, cancelQueue, createConsumer, type EventConsumer } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import { insertDeletionRecord } from './deletion-record.ts'

/** The events by which a service learns of the deletion of a workspace, and the purpose of its consumer. */
export const deletionSubscription = {
  purpose: 'workspace-deletion',
  producer: 'auth',
  kinds: [workspaceDeletionStarted.kind],
} as const satisfies { purpose: string; producer: ServiceName; kinds: readonly string[] }

/** Rows of a workspace that a service deleted. */
export interface DeletionReport {
  deletionId: string
  workspaceId: string
  /** Numbers of deleted rows by table. */
  deleted: Record<string, number>
  retained: RetainedTable[]
}

/** The part of a service in the deletion of a workspace. By default all rows of the workspace are deleted. */
export interface WorkspaceDeletionPolicy {
  /** Tables (`schema.table`) whose rows stay, with the reason. */
  retained?: Readonly<Record<string, string>>
  /** Stops what the service does for the workspace, in the transaction in which the deletion begins. Must be short. */
  onStarted?: (tx: Transaction, workspaceId: string) => Promise<void>
  /** Runs in the transaction that ends the deletion. Default: the report is emitted. */
  onDeleted?: (tx: Transaction, report: DeletionReport) => Promise<void>
}

/** The queue of wake-ups for the deletions of a service. */
export const deletionQueue = 'workspace_deletion'

/**
 * Starts the deletion of the rows of the transaction's workspace: removes its schedules and cancels its jobs at once,
 * and lets the deletion worker begin after the commit. Idempotent.
 *
 * @param deletion.shard the cell of the workspace
 * @param settleMs time for which rows may still be added; the last pass follows after it
 */
export async function startDataDeletion(
  tx: Transaction,
  deletion: { deletionId: string; workspaceId: string; shard: string },
  settleMs: number,
  { onStarted }: WorkspaceDeletionPolicy = {},
): Promise<void> {
  await insertDeletionRecord(tx.query, deletion, settleMs)
  await onStarted?.(tx, deletion.workspaceId)
  // Before the jobs: a run that is being enqueued is waited for here, and cancelled with them.
  await tx.query('DELETE FROM platform.schedules WHERE workspace_id = $1', [deletion.workspaceId])
  const cancelled = await tx.query<{ queue: string }>(
    `UPDATE platform.jobs SET state = 'cancelled', lease_token = NULL, lease_until = NULL, finished_at = now(),
       updated_at = now()
     WHERE workspace_id = $1 AND state IN ('queued', 'running') RETURNING queue`,
    [deletion.workspaceId],
  )
  for (const queue of new Set(cancelled.map((job) => job.queue))) tx.wake(cancelQueue(queue))
  tx.wake(deletionQueue)
}

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
