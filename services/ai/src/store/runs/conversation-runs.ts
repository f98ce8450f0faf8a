import type { Query } from '@wp/database'
import type { ConversationKey } from '../conversations/conversations.ts'

/** Returns the id of the run in progress of a conversation; undefined if there is none. */
export async function findActiveRun(
  query: Query,
  queue: string,
  { workspaceId, conversationId }: ConversationKey,
): Promise<string | undefined> {
  const [job] = await query<{ id: string }>(
    `SELECT id FROM platform.jobs
     WHERE queue = $1 AND exclusive = $2 AND workspace_id = $3 AND state IN ('queued', 'running')`,
    [queue, conversationId, workspaceId],
  )
  return job?.id
}

/** Erases what the runs of a conversation were asked and answered. The runs remain, with their states and use. */
export async function eraseRunContent(query: Query, { workspaceId, conversationId }: ConversationKey): Promise<void> {
  const values = [workspaceId, conversationId]
  const ids = 'SELECT run_id FROM runs WHERE workspace_id = $1 AND conversation_id = $2'
  await query(`DELETE FROM run_events WHERE workspace_id = $1 AND run_id IN (${ids})`, values)
  await query(`DELETE FROM run_steps WHERE workspace_id = $1 AND run_id IN (${ids})`, values)
  await query(
    `UPDATE platform.jobs SET input = input || '{"messages": [], "shown": null}'
     WHERE workspace_id = $1 AND id IN (${ids})`,
    values,
  )
  await query(
    `UPDATE runs SET output = NULL, citations = '[]', warnings = '[]', state = NULL
     WHERE workspace_id = $1 AND conversation_id = $2`,
    values,
  )
}
