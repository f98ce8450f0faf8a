import { newId } from '@wp/database'
import { enqueue, JobConflict } from '@wp/jobs'
import type { Tx } from '../store/client.ts'
import { lockStaleWeeks, markStaleRange, markStaleWeeks } from '../store/facts.ts'

/** The job queue that counts stale weeks, one job of a workspace at a time. */
export const recountQueue = 'workplace_recount'

/**
 * Marks the weeks of some days as stale, by default all, and has them counted.
 *
 * @param days local days such as `2026-03-05`
 */
export async function requestRecount(tx: Tx, workspaceId: string, days?: readonly string[]): Promise<void> {
  await lockStaleWeeks(tx.query, workspaceId)
  if (days === undefined) await markStaleRange(tx.query, workspaceId)
  else if (days.length > 0) await markStaleWeeks(tx.query, workspaceId, days)
  try {
    await enqueue(tx, { id: newId('dsr'), queue: recountQueue, exclusive: workspaceId, input: {} })
  } catch (error) {
    // The running job takes the same lock before it ends, and then finds the weeks.
    if (!(error instanceof JobConflict)) throw error
  }
}
