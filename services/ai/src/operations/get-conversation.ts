import { type ai, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { conversationView } from '../conversations/conversation-view.ts'
import { findConversation } from '../store/conversations/conversations.ts'
import { listMessages } from '../store/conversations/messages.ts'

const maxMessages = 1_000

/** Returns a conversation of the caller, or of the workspace for callers who may read all runs. */
export const getConversation: Operation<typeof ai.getConversation, Context> = (
  { database },
  caller,
  { params: { id: conversationId } },
) =>
  database.read(caller, async (db, query) => {
    const key = { workspaceId: caller.workspaceId, conversationId }
    const row = await findConversation(db, key)
    const isReadable = row?.principalId === caller.principal.id || caller.scopes.includes('agents:read')
    if (row === null || !isReadable) throw problem('not_found')
    return conversationView(row, await listMessages(query, key, { afterSeq: 0, limit: maxMessages }))
  })
