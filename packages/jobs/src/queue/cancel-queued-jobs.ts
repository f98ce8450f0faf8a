import type { Transaction } from '@wp/database'

/** Selects jobs of one queue in the transaction's workspace, by id or by `exclusive` key. */
export type QueuedJobFilter = { queue: string } & ({ id: string } | { exclusive: string })

/**
 * Cancels jobs that no runner has started, with the commit of the transaction.
 *
 * @returns the number of cancelled jobs; a cancelled job has had no effect
 */
export async function cancelQueuedJobs(tx: Transaction, { queue, ...selector }: QueuedJobFilter): Promise<number> {
  const [column, value] = 'id' in selector ? ['id', selector.id] : ['exclusive', selector.exclusive]
  const cancelled = await tx.query(
    `UPDATE platform.jobs SET state = 'cancelled', finished_at = now(), updated_at = now()
     WHERE queue = $1 AND workspace_id = $2 AND ${column} = $3 AND state = 'queued'
     RETURNING 1`,
    [queue, tx.workspaceId ?? '', value],
  )
  return cancelled.length
}
