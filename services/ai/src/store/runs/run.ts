/** A row of `runs`: what a run has beside its job. */
export interface Run {
  runId: string
  workspaceId: string
  agentId: string | null
  agentVersion: number | null
  conversationId: string | null
  attempt: string | null
  lastSeq: number
  /** State between two steps; null while a step is in progress. */
  state: unknown
  inputTokens: number
  outputTokens: number
  isEstimated: boolean
  callInputTokens: number
  callOutputLength: number
  output: string | null
  citations: unknown
  warnings: unknown
  /** Null unless the run finished. */
  finishReason: string | null
  endedAt: Date | null
}

export const runColumns = `run_id, workspace_id, agent_id,
  agent_version, conversation_id, attempt, last_seq, state,
  input_tokens, output_tokens, is_estimated,
  call_input_tokens, call_output_length, output, citations, warnings,
  finish_reason, ended_at`

/** Identifies a run. */
export interface RunKey {
  runId: string
  workspaceId: string
}

/** The right of an attempt to write to its run. It is lost when another attempt begins or the run ends. */
export interface RunAttempt extends RunKey {
  attempt: string
}
