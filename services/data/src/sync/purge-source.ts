import type { Job, JobControl } from '@wp/jobs'
import { deleteSourceDataBatch } from '../store/records/records.ts'

/** The queue of what deleted sources left behind. */
export const queue = 'removal'

/** Removes the records of a deleted source and what search knew of them, some at a time. */
export async function runPurge<Client>(job: Job, control: JobControl<Client>): Promise<void> {
  for (let removed = 1; removed > 0; ) {
    control.signal.throwIfAborted()
    await control.checkpoint(async (tx) => {
      removed = await deleteSourceDataBatch(tx.query, job.workspaceId, job.subject ?? '')
      return {}
    })
  }
}
