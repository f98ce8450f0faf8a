import type { ai, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { conversationSummaryView } from '../conversations/conversation-view.ts'
import { listConversations as listRows } from '../store/conversations/conversations.ts'

/** Lists the conversations of the caller, or of the workspace for callers who may read all runs. */
export const listConversations: Operation<typeof ai.listConversations, Context> = async (
  { database },
  caller,
  { query: { limit, cursor, agent_id: agentId } },
) => {
  const principalId = caller.scopes.includes('agents:read') ? undefined : caller.principal.id
  const { items, nextCursor } = await database.read(caller, (db) =>
    listRows(db, caller.workspaceId, { limit, cursor, principalId, agentId }),
  )
  return { items: items.map(conversationSummaryView), nextCursor }
}
