import { ai, problem, type RedactedPart } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { Operation } from '../context.ts'
import { redactedParts } from '../runs/redact-run.ts'
import {
  type ConversationRow,
  findOwnConversation,
  listConversations as listRows,
} from '../store/conversations/conversations.ts'
import { listMessages, type MessageRow } from '../store/conversations/messages.ts'

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

const conversationSummaryView = (row: ConversationRow) => viewOf(ai.listConversations.list, row)

/** Returns a conversation as the API shows it. @param redacted the parts that the caller may not read */
const conversationView = (
  row: ConversationRow,
  messages: readonly MessageRow[],
  redacted: readonly RedactedPart[],
) => ({
  ...conversationSummaryView(row),
  redacted: redacted.filter((part) => part === 'citations'),
  messages: messages.map(({ messageId, role, content, citations, runId, createdAt }) => ({
    id: messageId,
    role,
    content,
    citations: redacted.includes('citations') ? [] : [...citations],
    run_id: runId,
    created_at: createdAt.toISOString(),
  })),
})
