import { hash } from 'node:crypto'
import { type ServiceName, serviceNames, services, type WorkspaceDeletion } from '@wp/contracts'
import { canonicalJson } from '@wp/runtime'
import type { z } from 'zod'
import type { WorkspaceDeletionRow } from '../../store/workspaces/workspace-deletions.ts'

type View = z.input<typeof WorkspaceDeletion>

/** The services that delete data of workspaces. Auth is the last, because it keeps the deletion itself. */
export const deletingServices: readonly ServiceName[] = serviceNames.filter(
  (name) => services[name].storesWorkspaceData,
)

/** Those that report to auth. */
export const reportingServices: readonly ServiceName[] = deletingServices.filter((name) => name !== 'auth')

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
export function receiptHash({ id, workspace_id, created_at, started_at, finished_at, services: parts }: View): string {
  const receipt = { id, workspace_id, created_at, started_at, finished_at, services: parts }
  return hash('sha256', canonicalJson(receipt), 'hex')
}
