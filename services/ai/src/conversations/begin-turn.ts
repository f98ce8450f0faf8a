import { randomUUID } from 'node:crypto'
import { invalidField, type WorkspaceCaller } from '@wp/contracts'
import { newId, type Transaction } from '@wp/database'
import {
  type ConversationKey,
  type ConversationRow,
  insertConversation,
  lockOwnConversation,
} from '../store/conversations/conversations.ts'
import {
  appendMessages,
  findUserMessage,
  type NewMessageRow,
  supersedeMessages,
} from '../store/conversations/messages.ts'
import type { TextMessage } from './message-text.ts'

export interface NewTurn {
  /** Continues this conversation of the caller. */
  conversationId?: string | undefined
  /** Continues the conversation that was created with this chat of the client, or creates it. */
  chatId?: string | undefined
  /** The agent of a new conversation. */
  agentId?: string | undefined
  messages: readonly TextMessage[]
}

/** The conversation of a turn. Its row stays locked until the end of the transaction. */
export interface Turn {
  conversationId: string
  /** The agent that the conversation was created with. */
  agentId: string | null
}

const maxTitle = 80

/**
 * Begins a turn of a conversation: creates the conversation with all messages, or adds the last message to an existing
 * one, whose earlier messages are known. A message of the conversation that is sent again is answered again, and one
 * that was changed is replaced; what followed it is superseded.
 * @throws Problem `unknown_reference` for a conversation that is not the caller's
 */
export async function beginTurn(tx: Transaction, caller: WorkspaceCaller, turn: NewTurn): Promise<Turn> {
  const { workspaceId } = caller
  const { row, isNew } = await openConversation(tx, caller, turn)
  const key = { workspaceId, conversationId: row.id }
  const last = turn.messages.at(-1)
  if (isNew) await appendMessages(tx.query, key, turn.messages.map(toRow))
  else if (last !== undefined) await continueConversation(tx, key, last)
  return { conversationId: row.id, agentId: row.agentId }
}

async function openConversation(
  tx: Transaction,
  { workspaceId, principal }: WorkspaceCaller,
  { conversationId, chatId, agentId, messages }: NewTurn,
): Promise<{ row: ConversationRow; isNew: boolean }> {
  const owner = { workspaceId, principalId: principal.id }
  if (conversationId !== undefined) {
    const row = await lockOwnConversation(tx.query, { ...owner, conversationId })
    if (row !== null) return { row, isNew: false }
    throw invalidField('/conversation_id', 'is not a conversation of yours', 'unknown_reference')
  }
  const created = { ...owner, id: newId('conv'), agentId: agentId ?? null, chatId: chatId ?? null }
  const inserted = await insertConversation(tx.query, { ...created, title: titleOf(messages) })
  if (inserted !== null) return { row: inserted, isNew: true }
  const row = chatId === undefined ? null : await lockOwnConversation(tx.query, { ...owner, chatId })
  // It was deleted between the two statements.
  if (row === null) throw invalidField('/id', 'belongs to a conversation that has just been deleted', 'conflict')
  return { row, isNew: false }
}

async function continueConversation(tx: Transaction, key: ConversationKey, message: TextMessage): Promise<void> {
  const known = message.id === undefined ? undefined : await findUserMessage(tx.query, key, message.id)
  const isSame = known?.content === message.content
  if (known !== undefined) await supersedeMessages(tx.query, key, isSame ? known.seq + 1 : known.seq)
  if (!isSame) await appendMessages(tx.query, key, [toRow(message)])
}

const toRow = ({ id, role, content }: TextMessage): NewMessageRow => ({ messageId: id ?? randomUUID(), role, content })

function titleOf(messages: readonly TextMessage[]): string | null {
  const first = messages
    .find(({ role }) => role === 'user')
    ?.content.trim()
    .replaceAll(/\s+/g, ' ')
  if (first === undefined || first === '') return null
  return first.length > maxTitle ? `${first.slice(0, maxTitle - 1)}…` : first
}
