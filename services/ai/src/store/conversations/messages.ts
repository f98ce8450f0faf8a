import type { Citation } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { Conversation, ConversationMessage } from '#db'
import { toJsonb } from '../storable-json.ts'
import type { ConversationKey } from './conversations.ts'

export interface NewMessageRow extends Row<ConversationMessage, 'messageId' | 'content'> {
  role: 'user' | 'assistant' | 'system'
  citations?: readonly Citation[]
  runId?: string
}

export type MessageRow = Required<Omit<NewMessageRow, 'runId'>> &
  Row<ConversationMessage, 'seq' | 'runId' | 'createdAt'>

/**
 * Appends messages to a conversation, which stays locked until the end of the transaction.
 * @returns false if the conversation does not exist
 */
export async function appendMessages(
  query: Query,
  { workspaceId, conversationId }: ConversationKey,
  messages: readonly NewMessageRow[],
): Promise<boolean> {
  const [counted] = await query<Row<Conversation, 'lastSeq'>>(
    `UPDATE conversations SET last_seq = last_seq + $3, message_count = message_count + $3, updated_at = now()
     WHERE workspace_id = $1 AND id = $2 RETURNING last_seq`,
    [workspaceId, conversationId, messages.length],
  )
  if (counted === undefined) return false
  const rows = messages.map((message, index) => ({
    seq: counted.lastSeq - messages.length + index + 1,
    message_id: message.messageId,
    role: message.role,
    content: message.content,
    citations: message.citations ?? [],
    run_id: message.runId ?? null,
  }))
  await query(
    `INSERT INTO conversation_messages (conversation_id, workspace_id, seq, message_id, role, content, citations, run_id)
     SELECT $1, $2, seq, message_id, role, content, citations, run_id
     FROM jsonb_to_recordset($3::jsonb)
       AS rows (seq integer, message_id text, role text, content text, citations jsonb, run_id text)`,
    [conversationId, workspaceId, toJsonb(rows)],
  )
  return true
}

const columns = `seq, message_id, role, content, citations, run_id, created_at`

interface MessageRange {
  /** Only messages after this one. */
  afterSeq: number
  limit: number
}

/** Returns the newest messages, oldest first, without superseded ones. */
export const listMessages = (
  query: Query,
  { workspaceId, conversationId }: ConversationKey,
  { afterSeq, limit }: MessageRange,
): Promise<MessageRow[]> =>
  query<MessageRow>(
    `SELECT * FROM (
       SELECT ${columns} FROM conversation_messages
       WHERE workspace_id = $1 AND conversation_id = $2 AND seq > $3 AND NOT is_superseded
       ORDER BY seq DESC LIMIT $4) AS newest
     ORDER BY seq`,
    [workspaceId, conversationId, afterSeq, limit],
  )

/** Returns the message of a user with this id; undefined if there is none. */
export async function findUserMessage(
  query: Query,
  { workspaceId, conversationId }: ConversationKey,
  messageId: string,
): Promise<MessageRow | undefined> {
  const [found] = await query<MessageRow>(
    `SELECT ${columns} FROM conversation_messages
     WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3 AND role = 'user' AND NOT is_superseded
     ORDER BY seq DESC LIMIT 1`,
    [workspaceId, conversationId, messageId],
  )
  return found
}

/** Marks the messages from `seq` on as superseded. A summary of any of them is forgotten. */
export async function supersedeMessages(
  query: Query,
  { workspaceId, conversationId }: ConversationKey,
  seq: number,
): Promise<void> {
  const superseded = await query(
    `UPDATE conversation_messages SET is_superseded = true
     WHERE workspace_id = $1 AND conversation_id = $2 AND seq >= $3 AND NOT is_superseded RETURNING 1`,
    [workspaceId, conversationId, seq],
  )
  await query(
    `UPDATE conversations SET message_count = message_count - $4,
       summary = CASE WHEN summarized_seq < $3 THEN summary END,
       summarized_seq = CASE WHEN summarized_seq < $3 THEN summarized_seq ELSE 0 END
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, conversationId, seq, superseded.length],
  )
}
