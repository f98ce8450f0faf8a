import type { JobError, JobState } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import { joinJobs, mergeJobInput } from '@wp/jobs'
import type { Run as Model } from '#db'
import type { ConversationKey } from '../conversations/conversations.ts'
import { toJsonb } from '../storable-json.ts'

export type NewRun = RunKey &
  Pick<Run, 'agentId' | 'agentVersion' | 'conversationId' | 'triggerId' | 'triggerDepth' | 'evaluationId'>

export async function insertRun(query: Query, run: NewRun): Promise<void> {
  await query(
    `INSERT INTO runs (run_id, workspace_id, agent_id, agent_version, conversation_id, trigger_id, trigger_depth,
       evaluation_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[run.runId, run.workspaceId, run.agentId, run.agentVersion, run.conversationId],
      ...[run.triggerId, run.triggerDepth, run.evaluationId],
    ],
    'insert_run',
  )
}

export async function findRun(query: Query, { runId, workspaceId }: RunKey): Promise<Run | null> {
  const text = `SELECT ${runColumns} FROM runs WHERE run_id = $1 AND workspace_id = $2`
  const [run] = await query<Run>(text, [runId, workspaceId], 'find_run')
  return run ?? null
}

/** Returns a run that belongs to no conversation, or to one of this principal; null if there is none. */
export async function findReadableRun(
  query: Query,
  { runId, workspaceId }: RunKey,
  principalId: string,
): Promise<Run | null> {
  const [run] = await query<Run>(
    `SELECT ${runColumns} FROM runs WHERE run_id = $1 AND workspace_id = $2 AND (conversation_id IS NULL OR EXISTS (
       SELECT FROM conversations WHERE id = runs.conversation_id AND workspace_id = $2 AND principal_id = $3))`,
    [runId, workspaceId, principalId],
  )
  return run ?? null
}

/** Returns a run and locks it until the end of the transaction. */
export async function lockRun(query: Query, { runId, workspaceId }: RunKey): Promise<Run | null> {
  const [run] = await query<Run>(`SELECT ${runColumns} FROM runs WHERE run_id = $1 AND workspace_id = $2 FOR UPDATE`, [
    runId,
    workspaceId,
  ])
  return run ?? null
}

/** Makes an attempt the only one that may write. @returns the run; null if it has ended */
export async function beginAttempt(query: Query, { runId, workspaceId, attempt }: RunAttempt): Promise<Run | null> {
  const [run] = await query<Run>(
    `UPDATE runs SET attempt = $3 WHERE run_id = $1 AND workspace_id = $2 AND ended_at IS NULL RETURNING ${runColumns}`,
    [runId, workspaceId, attempt],
    'begin_attempt',
  )
  return run ?? null
}

/** Writes the state from which another attempt continues. @returns false if the attempt may no longer write */
export async function writeState(query: Query, { runId, workspaceId, attempt }: RunAttempt, state: unknown) {
  const rows = await query(
    `UPDATE runs SET state = $4 WHERE run_id = $1 AND workspace_id = $2 AND attempt = $3 AND ended_at IS NULL RETURNING 1`,
    [runId, workspaceId, attempt, toJsonb(state)],
  )
  return rows.length === 1
}

/**
 * Writes the estimated size of the input of a model call that begins, and its price. Without one, or in another
 * currency than calls before it, the cost of the run is not known from then on.
 * @returns false if the attempt may no longer write
 */
export async function writeCallBegin(
  query: Query,
  { runId, workspaceId, attempt }: RunAttempt,
  inputTokens: number,
  price: { currency: string | null } | null,
) {
  const rows = await query(
    `UPDATE runs SET call_input_tokens = $4, call_output_length = 0, call_price = $5,
       currency = coalesce(currency, $6),
       cost_micros = CASE WHEN $5::jsonb IS NULL OR currency <> $6 THEN NULL ELSE cost_micros END
     WHERE run_id = $1 AND workspace_id = $2 AND attempt = $3 AND ended_at IS NULL RETURNING 1`,
    [runId, workspaceId, attempt, inputTokens, price === null ? null : toJsonb(price), price?.currency ?? null],
    'write_call_begin',
  )
  return rows.length === 1
}

/** The use of a model call. */
export type CallUsage = Pick<Run, 'inputTokens' | 'outputTokens' | 'isEstimated' | 'costMicros'>

/** Adds the use of a model call that has ended. @returns false if the attempt may no longer write */
export async function writeCallEnd(query: Query, { runId, workspaceId, attempt }: RunAttempt, usage: CallUsage) {
  const rows = await query(
    `UPDATE runs SET input_tokens = input_tokens + $4, output_tokens = output_tokens + $5,
       is_estimated = is_estimated OR $6, cost_micros = cost_micros + $7, call_input_tokens = 0, call_output_length = 0
     WHERE run_id = $1 AND workspace_id = $2 AND attempt = $3 AND ended_at IS NULL RETURNING 1`,
    [runId, workspaceId, attempt, usage.inputTokens, usage.outputTokens, usage.isEstimated, usage.costMicros],
    'write_call_end',
  )
  return rows.length === 1
}

export type RunEnd = Pick<Run, 'output' | 'finishReason' | keyof CallUsage> & Record<'citations' | 'warnings', unknown>

/** Writes the end of a run, which the transaction has locked. No attempt can write to it any more. */
export async function writeEnd(query: Query, { runId, workspaceId }: RunKey, end: RunEnd): Promise<void> {
  const { output, citations, finishReason, warnings, inputTokens, outputTokens, isEstimated, costMicros } = end
  await query(
    `UPDATE runs SET ended_at = now(), attempt = NULL, state = NULL, output = $3, citations = $4, warnings = $5,
       input_tokens = $6, output_tokens = $7, is_estimated = $8, finish_reason = $9, cost_micros = $10, call_input_tokens = 0, call_output_length = 0
     WHERE run_id = $1 AND workspace_id = $2`,
    [
      ...[runId, workspaceId, output, toJsonb(citations), toJsonb(warnings)],
      ...[inputTokens, outputTokens, isEstimated, finishReason, costMicros],
    ],
  )
}

/** A row of `runs`: what a run has beside its job. */
export type Run = Row<Omit<Model, 'createdAt' | 'state' | 'costMicros' | 'callPrice'>> & {
  state: unknown
  costMicros: number | null
  callPrice: unknown
}

export const runColumns = `run_id, workspace_id, agent_id,
  agent_version, conversation_id, trigger_id, trigger_depth, evaluation_id, attempt, last_seq, state,
  input_tokens, output_tokens, is_estimated,
  call_input_tokens, call_output_length, cost_micros::float8 AS cost_micros, currency, call_price, output, citations, warnings,
  finish_reason, ended_at`

/** Identifies a run. */
export type RunKey = Pick<Run, 'runId' | 'workspaceId'>

/** The right of an attempt to write to its run. It is lost when another attempt begins or the run ends. */
export interface RunAttempt extends RunKey {
  attempt: string
}

/** A run that answers or grades a case of an evaluation. */
export interface CaseRun extends Pick<Run, 'output' | 'inputTokens' | 'outputTokens'> {
  status: JobState
  error: JobError | null
  durationMs: number | null
  /** Tools that it called and that do not act in an evaluation. */
  refusedTools: string[]
}

export async function readCaseRun(query: Query, { runId, workspaceId }: RunKey): Promise<CaseRun | undefined> {
  const [run] = await query<CaseRun>(
    `SELECT run.output, run.input_tokens, run.output_tokens, job.state AS status, job.error,
       round(extract(epoch FROM job.finished_at - job.started_at) * 1000)::integer AS duration_ms,
       ARRAY(SELECT DISTINCT tool FROM run_steps WHERE run_id = $1 AND workspace_id = $2 AND status = 'denied')
         AS refused_tools
     FROM runs AS run ${joinJobs('run.run_id')} WHERE run.run_id = $1 AND run.workspace_id = $2`,
    [runId, workspaceId],
  )
  return run
}

/** Erases what the runs of a conversation were asked and answered. The runs remain, with their states and use. */
export async function eraseRunContent(query: Query, { workspaceId, conversationId }: ConversationKey): Promise<void> {
  const values = [workspaceId, conversationId]
  const ids = 'SELECT run_id FROM runs WHERE workspace_id = $1 AND conversation_id = $2'
  await query(`DELETE FROM run_events WHERE workspace_id = $1 AND run_id IN (${ids})`, values)
  await query(`DELETE FROM run_steps WHERE workspace_id = $1 AND run_id IN (${ids})`, values)
  const runs = await query<{ runId: string }>(ids, values)
  await mergeJobInput(
    query,
    workspaceId,
    runs.map(({ runId }) => runId),
    { messages: [], shown: null },
  )
  await query(
    `UPDATE runs SET output = NULL, citations = '[]', warnings = '[]', state = NULL
     WHERE workspace_id = $1 AND conversation_id = $2`,
    values,
  )
}
