import type { WorkspaceCaller } from '@wp/contracts'
import { redactCitations, redactedParts } from '../runs/redact-run.ts'
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

/** Returns a conversation as the caller may read it: citations require `data:read`. */
export const conversationView = (
  row: ConversationRow,
  messages: readonly MessageRow[],
  caller: Pick<WorkspaceCaller, 'scopes'>,
) => ({
  ...conversationSummaryView(row),
  redacted: redactedParts(caller).filter((part) => part === 'citations'),
  messages: messages.map(({ messageId, role, content, citations, runId, createdAt }) => ({
    id: messageId,
    role,
    content,
    citations: redactCitations(citations, caller),
    run_id: runId,
    created_at: createdAt.toISOString(),
  })),
})
