import type { ai, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { conversationSummaryView } from '../conversations/conversation-view.ts'
import { listConversations as listRows } from '../store/conversations/conversations.ts'

/** Lists the conversations of the caller. */
export const listConversations: Operation<typeof ai.listConversations, Context> = async (
  { database },
  caller,
  { query: { limit, cursor, agent_id: agentId } },
) => {
  const { items, nextCursor } = await database.read(caller, (db) => listRows(db, caller, { limit, cursor, agentId }))
  return { items: items.map(conversationSummaryView), nextCursor }
}
