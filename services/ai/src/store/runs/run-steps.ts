import type { StepStatus } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { RunStep as Model } from '#db'
import { storableText, toJsonb } from '../storable-json.ts'
import type { RunAttempt, RunKey } from './runs.ts'

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'cancelled'

/** A row of `run_steps`: a tool call. */
export type RunStep = Row<Omit<Model, 'runId' | 'position' | 'workspaceId'>> & {
  status: StepStatus
  approval: ApprovalStatus | null
}

const columns = `call_id, tool, integration_id, title, input, output, status, error, duration_ms, usage, approval,
  decided_by, decided_at, reason`

/** Returns the tool calls of a run in order. */
export const listSteps = (query: Query, { runId, workspaceId }: RunKey): Promise<RunStep[]> =>
  query<RunStep>(
    `SELECT ${columns} FROM run_steps WHERE run_id = $1 AND workspace_id = $2 ORDER BY position`,
    [runId, workspaceId],
    'list_run_steps',
  )

export type NewStep = Row<Model, 'callId' | 'tool' | 'integrationId' | 'title' | 'position'> & {
  input: unknown
  usage: unknown
  status: 'running' | 'waiting'
}

/**
 * Writes a tool call that begins, or that waits for an approval. One that was approved begins with its status
 * `running`. The saved state of the run is deleted: the call must not be repeated.
 *
 * @returns false if the attempt may no longer write
 */
export async function writeStepBegin(query: Query, run: RunAttempt, step: NewStep): Promise<boolean> {
  const { runId, workspaceId, attempt } = run
  const { callId, position, tool, integrationId, title, input, usage, status } = step
  const rows = await query(
    `WITH run AS (
       UPDATE runs SET state = NULL WHERE run_id = $1 AND workspace_id = $2 AND attempt = $3 AND ended_at IS NULL
       RETURNING run_id, workspace_id)
     INSERT INTO run_steps (run_id, call_id, position, workspace_id, tool, input, usage, status, integration_id, title, approval)
     SELECT run_id, $4, $5, workspace_id, $6, $7, $8, $9, $10, $11, CASE WHEN $9 = 'waiting' THEN 'pending' END FROM run
     ON CONFLICT (run_id, call_id) DO UPDATE SET status = excluded.status
     RETURNING 1`,
    [
      ...[runId, workspaceId, attempt, callId, position, storableText(tool), toJsonb(input), toJsonb(usage), status],
      ...[integrationId, title === null ? null : storableText(title)],
    ],
  )
  return rows.length === 1
}

export type StepEnd = Pick<RunStep, 'callId' | 'error' | 'durationMs' | 'status'> & { output: unknown }

/** Writes the end of a tool call. @returns false if the attempt may no longer write */
export async function writeStepEnd(query: Query, run: RunAttempt, step: StepEnd): Promise<boolean> {
  const { runId, workspaceId, attempt } = run
  const { callId, output, error, durationMs, status } = step
  const rows = await query(
    `UPDATE run_steps SET status = $5, output = $6, error = $7, duration_ms = $8
     WHERE run_id = $1 AND workspace_id = $2 AND call_id = $4
       AND EXISTS (SELECT FROM runs WHERE run_id = $1 AND attempt = $3 AND ended_at IS NULL FOR SHARE)
     RETURNING 1`,
    [
      ...[runId, workspaceId, attempt, callId, status],
      ...[output === null ? null : toJsonb(output), error === null ? null : storableText(error)],
      durationMs === null ? null : Math.round(durationMs),
    ],
  )
  return rows.length === 1
}

/**
 * Ends the calls of a run that has ended: those in progress, of which it is unknown whether they had their effect, and
 * those that waited for an approval, which are not made.
 */
export async function endSteps(query: Query, { runId, workspaceId }: RunKey): Promise<void> {
  await query(
    `UPDATE run_steps SET status = CASE status WHEN 'waiting' THEN 'cancelled' ELSE 'interrupted' END,
       approval = CASE approval WHEN 'pending' THEN 'cancelled' ELSE approval END
     WHERE run_id = $1 AND workspace_id = $2 AND status IN ('running', 'waiting')`,
    [runId, workspaceId],
  )
}

/** Writes the decision about a call that waits. @returns false if it does not wait */
export async function writeDecision(
  query: Query,
  { runId, workspaceId }: RunKey,
  {
    callId,
    isApproved,
    decidedBy,
    reason,
  }: { callId: string; isApproved: boolean; decidedBy: string; reason: string | null },
): Promise<boolean> {
  const rows = await query(
    `UPDATE run_steps SET approval = $4, decided_by = $5, decided_at = now(), reason = $6,
       status = CASE WHEN $4 = 'denied' THEN 'denied' ELSE status END
     WHERE run_id = $1 AND workspace_id = $2 AND call_id = $3 AND approval = 'pending' RETURNING 1`,
    [runId, workspaceId, callId, isApproved ? 'approved' : 'denied', decidedBy, reason],
  )
  return rows.length === 1
}
