import type { Query } from '@wp/database'
import { mergeJobInput } from '@wp/jobs'
import type { ConversationKey } from '../conversations/conversations.ts'

/** Erases what the runs of a conversation were asked and answered. The runs remain, with their states and use. */
export async function eraseRunContent(query: Query, { workspaceId, conversationId }: ConversationKey): Promise<void> {
  const values = [workspaceId, conversationId]
  const ids = 'SELECT run_id FROM runs WHERE workspace_id = $1 AND conversation_id = $2'
  await query(`DELETE FROM run_events WHERE workspace_id = $1 AND run_id IN (${ids})`, values)
  await query(`DELETE FROM run_steps WHERE workspace_id = $1 AND run_id IN (${ids})`, values)
  const runs = await query<{ runId: string }>(ids, values)
  await mergeJobInput(
    query,
    workspaceId,
    runs.map(({ runId }) => runId),
    { messages: [], shown: null },
  )
  await query(
    `UPDATE runs SET output = NULL, citations = '[]', warnings = '[]', state = NULL
     WHERE workspace_id = $1 AND conversation_id = $2`,
    values,
  )
}
