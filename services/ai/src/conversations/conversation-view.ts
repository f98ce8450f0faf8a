import { ai, type RedactedPart } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { ConversationRow } from '../store/conversations/conversations.ts'
import type { MessageRow } from '../store/conversations/messages.ts'

export const conversationSummaryView = (row: ConversationRow) => viewOf(ai.listConversations.list, row)

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
