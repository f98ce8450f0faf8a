import { type AgentRun, type ai, problem, type ResponseOf } from '@wp/contracts'

/**
 * Returns the response for the run of a chat: its answer, or the run itself while it has not ended.
 * @throws Problem `model_failed` if it failed, `conflict` if it was cancelled
 */
export function chatResult(run: AgentRun): ResponseOf<typeof ai.chat> {
  const {
    id: runId,
    conversation_id: conversationId,
    status,
    error,
    output,
    citations,
    usage,
    warnings,
    finish_reason,
    redacted,
  } = run
  const extra = { run_id: runId, conversation_id: conversationId }
  if (status === 'queued' || status === 'running') return { status: 'accepted', data: run }
  if (status === 'failed' && error !== null)
    throw problem('model_failed', { detail: error.message, extra: { ...extra, error } })
  if (status === 'cancelled') throw problem('conflict', { detail: 'The run of the chat was cancelled', extra })
  if (conversationId === null) throw new Error(`the run ${runId} of a chat has no conversation`)
  const message = { id: runId, role: 'assistant' as const, content: output ?? '' }
  const shared = { citations, usage, finish_reason, warnings }
  const data = {
    message,
    ...shared,
    conversation_id: conversationId,
    run_id: runId,
    redacted: redacted.filter((part) => part === 'citations'),
  }
  return { status: 'ok', data }
}
