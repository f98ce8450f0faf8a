import type { Transaction } from '@wp/database'
import type { Job } from '@wp/jobs'

/**
 * Emits FORECASTING_FAILED in the transaction that fails the run, whatever the reason: handler, lost leases, revoked
 * caller.
 */
export async function emitRunFailed(tx: Transaction, job: Job): Promise<void> {
  const { code = 'system', message = 'The run failed' } = job.error ?? {}
  tx.emit({ kind: 'FORECASTING_FAILED', data: { id: job.id, status: 'failed', error: { code, message } } })
}
