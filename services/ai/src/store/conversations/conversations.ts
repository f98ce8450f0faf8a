import type { Page } from '@wp/contracts'
import { afterCursor, paginate, type Query } from '@wp/database'
import type { Conversation } from '#db'
import type { Db } from '../client.ts'

export type { Conversation as ConversationRow }

export interface ConversationKey {
  workspaceId: string
  conversationId: string
}

const columns = `id, workspace_id, principal_id, agent_id,
  chat_id, title, last_seq, message_count, summary,
  summarized_seq, created_at, updated_at`

export type NewConversation = Pick<Conversation, 'id' | 'workspaceId' | 'principalId' | 'agentId' | 'chatId' | 'title'>

/** Inserts a conversation. @returns null if the principal has one of the same chat */
export async function insertConversation(query: Query, row: NewConversation): Promise<Conversation | null> {
  const [inserted] = await query<Conversation>(
    `INSERT INTO conversations (id, workspace_id, principal_id, agent_id, chat_id, title)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (workspace_id, principal_id, chat_id) DO NOTHING RETURNING ${columns}`,
    [row.id, row.workspaceId, row.principalId, row.agentId, row.chatId, row.title],
  )
  return inserted ?? null
}

/** Identifies a conversation of a principal, by its id or by the chat of the client. */
export type OwnConversation = { workspaceId: string; principalId: string } & (
  | { conversationId: string }
  | { chatId: string }
)

/** Returns a conversation of a principal; null if there is none. */
export const findOwnConversation = (query: Query, own: OwnConversation): Promise<Conversation | null> =>
  selectOwnConversation(query, own, '')

/** Returns a conversation of a principal and locks it until the end of the transaction; null if there is none. */
export const lockOwnConversation = (query: Query, own: OwnConversation): Promise<Conversation | null> =>
  selectOwnConversation(query, own, 'FOR UPDATE')

async function selectOwnConversation(query: Query, own: OwnConversation, lock: '' | 'FOR UPDATE') {
  const [column, value] = 'chatId' in own ? ['chat_id', own.chatId] : ['id', own.conversationId]
  const [row] = await query<Conversation>(
    `SELECT ${columns} FROM conversations
     WHERE workspace_id = $1 AND principal_id = $2 AND ${column} = $3 ${lock}`,
    [own.workspaceId, own.principalId, value],
  )
  return row ?? null
}

export const findConversation = (
  db: Db,
  { workspaceId, conversationId }: ConversationKey,
): Promise<Conversation | null> => db.conversation.findFirst({ where: { workspaceId, id: conversationId } })

export interface ConversationFilter {
  limit: number
  cursor: string | undefined
  agentId: string | undefined
}

/** Returns one page of the conversations of a principal, newest first. */
export async function listConversations(
  db: Db,
  { workspaceId, principal }: { workspaceId: string; principal: { id: string } },
  { limit, cursor, agentId }: ConversationFilter,
): Promise<Page<Conversation>> {
  const rows = await db.conversation.findMany({
    where: {
      workspaceId,
      principalId: principal.id,
      ...(agentId === undefined ? {} : { agentId }),
      ...afterCursor(cursor),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, (row) => row)
}

/** Deletes a conversation with its messages. */
export async function deleteConversationRows(query: Query, { workspaceId, conversationId }: ConversationKey) {
  await query('DELETE FROM conversation_messages WHERE workspace_id = $1 AND conversation_id = $2', [
    workspaceId,
    conversationId,
  ])
  await query('DELETE FROM conversations WHERE workspace_id = $1 AND id = $2', [workspaceId, conversationId])
}

/** Stores the summary of the messages up to `throughSeq`, unless they have changed or are part of a later summary. */
export async function writeSummary(
  query: Query,
  { workspaceId, conversationId }: ConversationKey,
  { summary, fromSeq, throughSeq }: { summary: string; fromSeq: number; throughSeq: number },
): Promise<void> {
  await query(
    `UPDATE conversations SET summary = $3, summarized_seq = $5
     WHERE workspace_id = $1 AND id = $2 AND summarized_seq = $4`,
    [workspaceId, conversationId, summary, fromSeq, throughSeq],
  )
}
