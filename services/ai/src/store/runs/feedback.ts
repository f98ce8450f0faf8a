import type { Page } from '@wp/contracts'
import { decodeCursor, paginate, type Query, type Row } from '@wp/database'
import type { RunFeedback as Model } from '#db'

/** The opinion of a principal about the answer of a run. */
export interface FeedbackRow extends Row<Omit<Model, 'rating'>> {
  rating: 'up' | 'down'
}

const columns = 'run_id, principal_id, workspace_id, agent_id, rating, comment, created_at, updated_at'

/** Writes the opinion of a principal, in place of an earlier one. */
export async function writeFeedback(
  query: Query,
  { runId, principalId, workspaceId, agentId, rating, comment }: Omit<FeedbackRow, 'createdAt' | 'updatedAt'>,
): Promise<FeedbackRow> {
  const [row] = await query<FeedbackRow>(
    `INSERT INTO run_feedback (run_id, principal_id, workspace_id, agent_id, rating, comment)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (run_id, principal_id) DO UPDATE
       SET rating = excluded.rating, comment = excluded.comment, updated_at = now()
     RETURNING ${columns}`,
    [runId, principalId, workspaceId, agentId, rating, comment],
  )
  if (row === undefined) throw new Error(`the feedback about ${runId} was not written`)
  return row
}

interface FeedbackFilter {
  limit: number
  cursor?: string | undefined
  run_id?: string | undefined
  agent_id?: string | undefined
  rating?: FeedbackRow['rating'] | undefined
}

/**
 * Returns a page of the opinions about runs that a principal may read, newest first.
 * @throws Problem `invalid_cursor`
 */
export async function findFeedback(
  query: Query,
  { workspaceId, principalId }: { workspaceId: string; principalId: string },
  { limit, cursor, run_id: runId, agent_id: agentId, rating }: FeedbackFilter,
): Promise<Page<FeedbackRow>> {
  const last = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await query<FeedbackRow>(
    `SELECT ${columns} FROM run_feedback AS feedback
     WHERE workspace_id = $1 AND ($4::text IS NULL OR run_id = $4) AND ($5::text IS NULL OR agent_id = $5)
       AND ($6::text IS NULL OR rating = $6)
       AND ($7::timestamptz IS NULL OR (created_at, run_id || ' ' || principal_id) < ($7, $8::text))
       AND EXISTS (SELECT FROM runs WHERE runs.run_id = feedback.run_id AND runs.workspace_id = $1
         AND (conversation_id IS NULL OR EXISTS (SELECT FROM conversations
           WHERE id = runs.conversation_id AND workspace_id = $1 AND conversations.principal_id = $3)))
     ORDER BY created_at DESC, run_id || ' ' || principal_id DESC LIMIT $2`,
    [
      workspaceId,
      limit + 1,
      principalId,
      runId ?? null,
      agentId ?? null,
      rating ?? null,
      last?.createdAt ?? null,
      last?.id ?? null,
    ],
  )
  return paginate(rows, limit, (row) => ({ createdAt: row.createdAt, id: `${row.runId} ${row.principalId}` }))
}
