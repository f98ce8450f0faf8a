import type { Transaction } from '@wp/database'
import type { Job } from '@wp/jobs'
import { setExpiry } from '../store/exports.ts'
import type { ExportInput } from './export-job.ts'

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
