import { hash } from 'node:crypto'
import {
  type ServiceName,
  serviceNames,
  services,
  type WorkspaceDeletion,
  workspaceDataDeleted,
  workspaceDeletionStarted,
} from '@wp/contracts'
import { type Bus, createConsumer, type EventConsumer, parseSubject, serviceCaller } from '@wp/events'
import type { Schedule } from '@wp/jobs/background'
import { startDataDeletion, type WorkspaceDeletionPolicy } from '@wp/jobs/data-deletion'
import { canonicalJson } from '@wp/runtime'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import {
  type DueDeletion,
  deleteClientSessions,
  endClientSessions,
  findDeletion,
  findDueDeletions,
  insertReport,
  moveDeletion,
  setReceiptHash,
  type WorkspaceDeletionRow,
} from '../store/workspaces/workspace-deletions.ts'

/** The services that delete data of workspaces. Auth is the last, because it keeps the deletion itself. */
const deletingServices: readonly ServiceName[] = serviceNames.filter((name) => services[name].storesWorkspaceData)

/** Those that report to auth. */
const reportingServices: readonly ServiceName[] = deletingServices.filter((name) => name !== 'auth')

const receipt = 'the receipt of this deletion'

/** The part of auth in the deletion of a workspace: it keeps the receipt, and completes it. */
export const deletionPolicy: WorkspaceDeletionPolicy = {
  retained: { 'public.workspace_deletions': receipt, 'public.workspace_deletion_reports': receipt },
  async onDeleted(tx, report) {
    const { deletionId, workspaceId } = report
    await deleteClientSessions(tx.query, workspaceId)
    await insertReport(tx.query, 'auth', report)
    await moveDeletion(tx.query, deletionId, 'running', 'finished')
    const finished = await findDeletion(tx.query, deletionId)
    if (finished === undefined) throw new Error(`the deletion ${deletionId} is missing`)
    await setReceiptHash(tx.query, deletionId, receiptHash(deletionView(finished)))
    // The workspace has no chain to append to any more, other than the one that is kept.
    await tx.switchWorkspace(null)
    tx.emitAudit({ action: 'workspace.deleted', targets: [{ type: 'workspace', id: workspaceId }] })
  },
}

/** The queue of wake-ups for the coordinator. */
export const coordinatorQueue = 'workspace_deletions'

const batchSize = 10
/** Longest delay after the end of a grace period. What else continues a deletion wakes the coordinator. */
const pollMs = 15_000

/**
 * Returns the schedule that leads the deletions of workspaces: it starts them at the end of the grace period, and when
 * every other service has reported, deletes the rows of auth itself.
 */
export function deletionSchedule({ database }: Pick<Context, 'database'>): Schedule {
  async function pass(): Promise<'more' | 'idle'> {
    const due = await findDueDeletions(workerQuery(database.worker), reportingServices, batchSize)
    for (const deletion of due) await continueDeletion(deletion)
    return due.length === batchSize ? 'more' : 'idle'
  }

  async function continueDeletion({ deletionId, workspaceId, shard, status }: DueDeletion) {
    const caller = serviceCaller('auth', { shard, workspaceId, requestId: deletionId })
    await database.background.transact(caller, async (tx) => {
      if (status === 'running')
        return await startDataDeletion(tx, { deletionId, workspaceId, shard }, 0, deletionPolicy)
      if (!(await moveDeletion(tx.query, deletionId, 'scheduled', 'running'))) return
      await endClientSessions(tx.query, workspaceId)
      tx.emitInternal(workspaceDeletionStarted, { deletion_id: deletionId })
    })
  }

  return { name: 'workspace deletions', everyMs: pollMs, wakeQueue: coordinatorQueue, pass }
}

/** Creates the consumer of the services' reports about deleted workspaces. @param bus the broker of one cell */
export function createReportCollector(
  { database, log, metrics }: Pick<Context, 'database' | 'log' | 'metrics'>,
  bus: Bus,
): EventConsumer {
  return createConsumer({
    database: database.background,
    bus,
    service: 'auth',
    purpose: 'deletion-reports',
    kinds: [workspaceDataDeleted.kind],
    authorize({ data }, { subject }) {
      const { producer } = parseSubject(subject ?? '') ?? {}
      return producer === data.service ? undefined : 'the report is about another service than its producer'
    },
    async handle({ workspace_id: workspaceId, data }, tx) {
      const { deletion_id: deletionId, service, deleted, retained } = workspaceDataDeleted.data.parse(data)
      await insertReport(tx.query, service, { deletionId, workspaceId, deleted, retained })
      tx.wake(coordinatorQueue)
    },
    log,
    metrics,
  })
}

type View = z.input<typeof WorkspaceDeletion>

/** Returns the public view of a deletion: its receipt once it has finished. */
export function deletionView(row: WorkspaceDeletionRow): View {
  const reports = new Map(row.reports.map((report) => [report.service, report]))
  return {
    id: row.deletionId,
    workspace_id: row.workspaceId,
    // the column contains only declared states; responses are validated against the contracts again
    status: row.status as View['status'],
    progress: reports.size / deletingServices.length,
    services: deletingServices.map((service) => {
      const { deleted = {}, retained = [], finishedAt: finished_at = null } = reports.get(service) ?? {}
      return { service, status: finished_at === null ? 'pending' : 'finished', deleted, retained, finished_at }
    }),
    receipt_hash: row.receiptHash,
    created_at: row.createdAt.toISOString(),
    starts_at: row.startsAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}

/** Returns the hash of a receipt: SHA-256 over the canonical JSON of the fields that never change any more. */
function receiptHash({ id, workspace_id, created_at, started_at, finished_at, services: parts }: View): string {
  const receipt = { id, workspace_id, created_at, started_at, finished_at, services: parts }
  return hash('sha256', canonicalJson(receipt), 'hex')
}
