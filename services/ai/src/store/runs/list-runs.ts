import type { ai, InputOf, JobError, JobState, Page } from '@wp/contracts'
import { decodeCursor, paginate, type Query } from '@wp/database'
import { jobConditions, joinJobs } from '@wp/jobs'
import { type Run, runColumns } from './runs.ts'

/** A run with the fields of its job that a list shows. */
export type ListedRun = Run & {
  status: JobState
  progress: number
  error: JobError | null
  metadata: Record<string, string>
  externalId: string | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

export type RunFilter = InputOf<typeof ai.listRuns>['query']

/**
 * Returns a page of the runs that belong to no conversation, and of those of the principal's conversations, newest
 * first. Each of the two is read by its own index, so that chats of others cost nothing.
 * @throws Problem `invalid_cursor`
 */
export async function findRuns(
  query: Query,
  { workspaceId, principalId }: { workspaceId: string; principalId: string },
  filter: RunFilter,
): Promise<Page<ListedRun>> {
  const values: unknown[] = [workspaceId, filter.limit + 1, principalId]
  const bind = (parameter: unknown) => `$${values.push(parameter)}`
  const { status: state, external_id: externalId, metadata } = filter
  const conditions = ['run.workspace_id = $1', ...jobConditions({ state, externalId, metadata }, bind)]
  if (filter.agent_id !== undefined) conditions.push(`run.agent_id = ${bind(filter.agent_id)}`)
  if (filter.conversation_id !== undefined) conditions.push(`run.conversation_id = ${bind(filter.conversation_id)}`)
  if (filter.trigger_id !== undefined) conditions.push(`run.trigger_id = ${bind(filter.trigger_id)}`)
  conditions.push(
    filter.evaluation_id === undefined
      ? 'run.evaluation_id IS NULL'
      : `run.evaluation_id = ${bind(filter.evaluation_id)}`,
  )
  if (filter.cursor !== undefined) {
    const last = decodeCursor(filter.cursor)
    conditions.push(`(run.created_at, run.run_id) < (${bind(last.createdAt)}, ${bind(last.id)})`)
  }
  const select = (readable: string) => `(
       SELECT run.run_id, run.created_at, job.state AS status, job.progress, job.error, job.metadata,
         job.external_id, job.started_at, job.finished_at
       FROM runs AS run ${joinJobs('run.run_id')}
       WHERE ${[...conditions, readable].join(' AND ')} ORDER BY run.created_at DESC, run.run_id DESC LIMIT $2)`
  const rows = await query<ListedRun>(
    `SELECT listed.*, job.* FROM (
       SELECT * FROM (${select('run.conversation_id IS NULL')} UNION ALL ${select(ownConversation)}) AS readable
       ORDER BY created_at DESC, run_id DESC LIMIT $2) AS job
     CROSS JOIN LATERAL (SELECT ${runColumns} FROM runs WHERE runs.run_id = job.run_id) AS listed
     ORDER BY job.created_at DESC, job.run_id DESC`,
    values,
  )
  return paginate(rows, filter.limit, ({ createdAt, runId }) => ({ createdAt, id: runId }))
}

const ownConversation = `run.conversation_id IN (
  SELECT id FROM conversations WHERE workspace_id = $1 AND principal_id = $3)`
