import type { Row } from '@wp/database'
import type { Run as Model } from '#db'

/** A row of `runs`: what a run has beside its job. */
export type Run = Row<Omit<Model, 'createdAt' | 'state'>> & { state: unknown }

export const runColumns = `run_id, workspace_id, agent_id,
  agent_version, conversation_id, attempt, last_seq, state,
  input_tokens, output_tokens, is_estimated,
  call_input_tokens, call_output_length, output, citations, warnings,
  finish_reason, ended_at`

/** Identifies a run. */
export type RunKey = Pick<Run, 'runId' | 'workspaceId'>

/** The right of an attempt to write to its run. It is lost when another attempt begins or the run ends. */
export interface RunAttempt extends RunKey {
  attempt: string
}
