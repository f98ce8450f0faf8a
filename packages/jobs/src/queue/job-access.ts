import type { Query, Transaction } from '@wp/database'
import { getJob, type Job, type JobKey } from './job.ts'

/** Locks a job until the end of the transaction and returns it; null if the workspace has no job with this id. */
export async function lockJob(tx: Transaction, key: JobKey): Promise<Job | null> {
  await tx.query(`SELECT FROM platform.jobs WHERE id = $1 AND queue = $2 AND workspace_id = $3 FOR UPDATE`, [
    ...[key.id, key.queue, key.workspaceId ?? ''],
  ])
  return getJob(tx, key)
}

/** Returns the id of the queued or running job with an `exclusive` key; undefined if there is none. */
export async function findExclusiveJob(
  query: Query,
  { workspaceId, queue, exclusive }: { workspaceId: string; queue: string; exclusive: string },
): Promise<string | undefined> {
  const [job] = await query<{ id: string }>(
    `SELECT id FROM platform.jobs
     WHERE queue = $1 AND exclusive = $2 AND workspace_id = $3 AND state IN ('queued', 'running')`,
    [queue, exclusive, workspaceId],
  )
  return job?.id
}

/** Replaces members of the input of jobs of a workspace, for example to erase content. Other members stay. */
export async function mergeJobInput(
  query: Query,
  workspaceId: string,
  ids: readonly string[],
  members: Readonly<Record<string, unknown>>,
): Promise<void> {
  await query('UPDATE platform.jobs SET input = input || $3::jsonb WHERE workspace_id = $1 AND id = ANY ($2)', [
    ...[workspaceId, ids, JSON.stringify(members)],
  ])
}
