import type { RedactedPart } from '@wp/contracts'
import type { ConversationRow } from '../store/conversations/conversations.ts'
import type { MessageRow } from '../store/conversations/messages.ts'

export const conversationSummaryView = (row: ConversationRow) => ({
  id: row.id,
  title: row.title,
  agent_id: row.agentId,
  message_count: row.messageCount,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

/** Returns a conversation as the API shows it. @param redacted the parts that the caller may not read */
export const conversationView = (
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
