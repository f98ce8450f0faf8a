import type { Citation } from '@wp/contracts'
import type { Query } from '@wp/database'
import { appendMessages } from '../store/conversations/messages.ts'

interface Answer {
  workspaceId: string
  conversationId: string
  runId: string
  /** An answer without text is not stored. */
  content: string
  citations: readonly Citation[]
}

/**
 * Adds the answer of a run to its conversation, in the transaction that ends the run. Its message has the id of the
 * run. Does nothing if the conversation was deleted.
 */
export async function appendAnswer(query: Query, { content, citations, runId, ...key }: Answer): Promise<void> {
  if (content.trim() === '') return
  await appendMessages(query, key, [{ messageId: runId, role: 'assistant', content, citations, runId }])
}
