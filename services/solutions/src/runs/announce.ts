import type { Transaction } from '@wp/database'
import type { Job } from '@wp/jobs'

/** However a run fails, by its handler, a lost lease or a revoked caller, its event is committed with the failure. */
export async function announceFailure(tx: Transaction, job: Job): Promise<void> {
  const { code = 'system', message = 'The run failed' } = job.error ?? {}
  tx.emit({ kind: 'FORECASTING_FAILED', data: { id: job.id, status: 'failed', error: { code, message } } })
}
