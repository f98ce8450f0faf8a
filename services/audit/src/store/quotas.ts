import { type CountedQuota, countQueuedJobs } from '@wp/database'

/** The job queue of compliance exports. */
export const exportQueue = 'audit_export'

/** Exports that wait for a worker. */
export const queuedExportQuota = countQueuedJobs('audit_export', exportQueue)

/** Size of the contents that have not expired, of finished exports and of those in progress. */
export const exportBytesQuota: CountedQuota = {
  quota: 'export_bytes',
  kind: null,
  count: `coalesce((SELECT sum(bytes) FROM audit_exports
    WHERE workspace_id = $1 AND (expires_at IS NULL OR expires_at > now())), 0)`,
}
