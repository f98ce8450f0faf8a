import type { Transaction } from '@wp/database'

/** Jobs of one queue in the transaction's workspace, by their own name or by what they exclude others from. */
export type QueuedJobFilter = { queue: string } & ({ id: string } | { exclusive: string })

/**
 * Takes jobs back that no runner has taken up yet, with the transaction's commit.
 * @returns how many; none where it is too late, so that whoever takes a job back knows that nothing of it has happened
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
