import { type ServiceName, workspaceDataDeleted } from '@wp/contracts'
import type { Database, Query, Transaction } from '@wp/database'
import { inWorkerTransaction, workerQuery } from '@wp/database/worker-transaction'
import { isInfrastructureError, serviceCaller } from '@wp/events'
import { type Log, type Metrics, noMetrics, type PassResult, type Worker } from '@wp/runtime'
import { createScheduleWorker } from '../background/index.ts'
import { deleteRows, nextPosition, stepLimits } from './delete-rows.ts'
import {
  type DeletionRecord,
  findNextDeletion,
  finishDeletion,
  lockDeletion,
  postponeDeletion,
  saveStep,
} from './deletion-record.ts'
import { deletionQueue, type WorkspaceDeletionPolicy } from './workspace-deletion.ts'
import { type DeletableTable, type DeletionPlan, listWorkspaceTables, planDeletion } from './workspace-tables.ts'

export interface DeletionWorkerOptions {
  database: Database
  service: ServiceName
  policy?: WorkspaceDeletionPolicy | undefined
  /** Limits of one step. */
  limits?: typeof stepLimits
  /** Interval at which work that no commit of this process announced is found: after a crash. Default 15,000 ms. */
  pollMs?: number
  log: Log
  metrics?: Metrics
}

/** Pause before a failed deletion begins its pass again, and while another replica does a step. */
const [failurePauseMs, stepPauseMs] = [60_000, 1_000]

/**
 * Creates the worker that deletes the rows of workspaces from a database, step by step. Each step is one transaction of
 * limited size that also saves the position, so after a crash the deletion continues with the next step. Workspaces
 * take turns by step. Row-level security restricts a step to the rows of its workspace wherever the app role may
 * delete. Longer than most functions: its steps share the position.
 */
export function createDeletionWorker(options: DeletionWorkerOptions): Worker {
  const { service, policy = {}, limits = stepLimits, pollMs = 15_000, log, metrics = noMetrics } = options
  const database = options.database.background
  const { worker } = database
  const query = workerQuery(worker)

  const transact = <T>(record: DeletionRecord, work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const { workspaceId, shard, deletionId } = record
    return database.transact(serviceCaller(service, { workspaceId, shard, requestId: deletionId }), work)
  }

  const inRole = (record: DeletionRecord, { role }: DeletableTable, work: (query: Query) => Promise<boolean>) =>
    role === 'app'
      ? transact(record, ({ query }) => work(query))
      : inWorkerTransaction(worker, (_client, query) => work(query))

  async function deleteStep(record: DeletionRecord, { tables }: DeletionPlan): Promise<boolean> {
    const table = tables.find(({ name }) => name === record.position.table) ?? tables[0]
    if (table === undefined) throw new Error('the database has no table with rows of workspaces')
    return await inRole(record, table, async (query) => {
      if (!(await lockDeletion(query, record))) return false
      const result = await deleteRows(query, table, record.workspaceId, record.position.block, limits)
      const names = tables.map(({ name }) => name)
      const position = nextPosition(record.position, names, table.name, result)
      await saveStep(query, record, { table: table.name, deleted: result.deleted, position })
      metrics.count('workspace_deletion_rows_total', { table: table.name }, result.deleted)
      return true
    })
  }

  const finish = (record: DeletionRecord, { retained }: DeletionPlan): Promise<boolean> =>
    transact(record, async (tx) => {
      if (!(await lockDeletion(tx.query, record))) return false
      await finishDeletion(tx.query, record)
      const { deletionId, workspaceId, deleted } = record
      if (policy.onDeleted !== undefined) await policy.onDeleted(tx, { deletionId, workspaceId, deleted, retained })
      else tx.emitInternal(workspaceDataDeleted, { deletion_id: deletionId, service, deleted, retained })
      return true
    })

  async function pass(): Promise<PassResult> {
    const record = await findNextDeletion(query)
    if (record === undefined) return 'idle'
    if (record.dueInMs > 0) return Math.min(pollMs, record.dueInMs)
    try {
      const plan = planDeletion(await listWorkspaceTables(query), policy.retained)
      const isDone = record.position.isComplete ? await finish(record, plan) : await deleteStep(record, plan)
      // Another replica is at this step; the pause lets it go ahead.
      return isDone ? 'more' : stepPauseMs
    } catch (err) {
      if (isInfrastructureError(err)) throw err
      const { deletionId: deletion, workspaceId } = record
      log.error(
        { event: 'workspace_deletion.step_failed', err, deletion, workspaceId },
        'failed to delete rows of a workspace; the pass begins again',
      )
      await postponeDeletion(query, record, failurePauseMs)
      return 'more'
    }
  }

  const name = `workspace deletion of ${service}`
  return createScheduleWorker({ name, everyMs: pollMs, wakeQueue: deletionQueue, pass }, { database, log })
}
