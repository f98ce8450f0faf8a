import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { conversationSummaryView, conversationView } from '../conversations/conversation-view.ts'
import { redactedParts } from '../runs/redact-run.ts'
import { findOwnConversation, listConversations as listRows } from '../store/conversations/conversations.ts'
import { listMessages } from '../store/conversations/messages.ts'

const maxMessages = 1_000

/** Returns a conversation of the caller. That of another principal does not exist for the caller. */
export const getConversation: Operation<'getConversation'> = ({ database }, caller, { params }) =>
  database.read(caller, async (_db, query) => {
    const key = { workspaceId: caller.workspaceId, conversationId: params.id }
    const row = await findOwnConversation(query, { ...key, principalId: caller.principal.id })
    if (row === null) throw problem('not_found')
    const messages = await listMessages(query, key, { afterSeq: 0, limit: maxMessages })
    return conversationView(row, messages, redactedParts(caller))
  })

/** Lists the conversations of the caller. */
export const listConversations: Operation<'listConversations'> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) =>
    listRows(db, caller, { limit: query.limit, cursor: query.cursor, agentId: query.agent_id }),
  )
  return { items: items.map(conversationSummaryView), nextCursor }
}
