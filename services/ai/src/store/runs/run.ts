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

export const runColumns = `run_id AS "runId", workspace_id AS "workspaceId", agent_id AS "agentId",
  agent_version AS "agentVersion", conversation_id AS "conversationId", attempt, last_seq AS "lastSeq", state,
  input_tokens AS "inputTokens", output_tokens AS "outputTokens", is_estimated AS "isEstimated",
  call_input_tokens AS "callInputTokens", call_output_length AS "callOutputLength", output, citations, warnings,
  finish_reason AS "finishReason", ended_at AS "endedAt"`

/** Identifies a run. */
export interface RunKey {
  runId: string
  workspaceId: string
}

/** The right of an attempt to write to its run. It is lost when another attempt begins or the run ends. */
export interface RunAttempt extends RunKey {
  attempt: string
}
