import { audit, auditDocs, auditInternal, auditRequests } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import type { Job } from '@wp/jobs'
import type { WorkspaceDeletionPolicy } from '@wp/jobs/data-deletion'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import type { ExportInput } from './exports/export-job.ts'
import { exportRetentionSchedule } from './exports/export-job.ts'
import { runExport } from './exports/run-export.ts'
import * as operations from './operations/index.ts'
import { createRecorder } from './recorder.ts'
import type { Control } from './store/client.ts'
import { setExpiry } from './store/exports.ts'
import { exportQueue } from './store/quotas.ts'
import { requestRetention } from './store/requests.ts'

export function createService(context: Context): Service {
  const { bus, exports, resolveCaller, now, metrics } = context
  const database = context.database.background
  return {
    surfaces: [
      bindSurface(audit, operations, context),
      bindSurface(auditRequests, operations, context),
      bindSurface(auditDocs, operations, context),
      bindSurface(auditInternal, operations, context),
    ],
    database,
    bus,
    workspaceDeletion: deletionPolicy,
    workers: [createRecorder({ ...context, database })],
    jobs: [
      {
        queue: exportQueue,
        concurrency: exports.concurrency,
        resolveCaller,
        handle: (job, control: Control) => runExport({ ...context, database }, job, control),
        onFailed: (tx, job) => failExport(tx, job, now()),
        leaseMs: exports.leaseMs,
      },
    ],
    retention: requestRetention,
    schedules: [exportRetentionSchedule({ database, now, metrics })],
  }
}

/**
 * Lets the content of a failed export expire and emits AUDIT_DOC_FAILED, in the transaction that fails it, whatever the
 * reason: handler, lost leases, revoked caller.
 */
export async function failExport(tx: Transaction, job: Job, now: number): Promise<void> {
  const { format } = job.input as ExportInput // written by startDoc, from the parsed body
  const { code = 'system', message = 'The export failed' } = job.error ?? {}
  await setExpiry(tx.query, job, new Date(now))
  tx.emit({ kind: 'AUDIT_DOC_FAILED', data: { id: job.id, status: 'failed', format, error: { code, message } } })
}

const untilRetention = 'the audit log is append-only: its records stay until their retention ends'

/** The part of the audit log in the deletion of a workspace: exports are deleted, the log itself stays. */
export const deletionPolicy: WorkspaceDeletionPolicy = {
  retained: {
    'public.audit_chains': untilRetention,
    'public.audit_records': untilRetention,
    'public.audit_targets': untilRetention,
    'public.audit_personal_data': `${untilRetention}, unless an operator erases the personal data before`,
    'public.audit_anchors': untilRetention,
    'public.audit_retention': untilRetention,
  },
}
