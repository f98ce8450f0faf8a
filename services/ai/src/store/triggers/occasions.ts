import type { Database, Query, Row } from '@wp/database'
import type { Trigger as Model } from '#db'
import { type Trigger, toTrigger } from './triggers.ts'

const columns = `id, agent_id, schedule, timezone, event, filter, input, budget, autonomy, is_enabled, caller, next_run_at,
  last_run_id, last_run_at, skipped_at, skip_reason, created_at, updated_at`

export type TriggerKey = Row<Model, 'workspaceId' | 'id'>

/** Queue that a transaction wakes when it has set when a trigger is due next. */
export const triggerScheduleQueue = 'trigger_schedule'

/** Lists triggers of all workspaces that are due until a time, longest overdue first. */
export async function listDueTriggers(
  worker: Database['worker'],
  until: Date,
  limit: number,
): Promise<(TriggerKey & { nextRunAt: Date })[]> {
  const { rows } = await worker.query<TriggerKey & { nextRunAt: Date }>({
    name: 'list_due_triggers',
    text: `SELECT workspace_id, id, next_run_at FROM triggers WHERE next_run_at <= $1 ORDER BY next_run_at LIMIT $2`,
    values: [until, limit],
  })
  return rows
}

/** Locks a due trigger; undefined if it is no longer due, or another transaction holds it. */
export async function lockDueTrigger(
  query: Query,
  { workspaceId, id }: TriggerKey,
  now: Date,
): Promise<Trigger | undefined> {
  const [row] = await query<Model>(
    `SELECT ${columns} FROM triggers WHERE workspace_id = $1 AND id = $2 AND next_run_at <= $3 FOR UPDATE SKIP LOCKED`,
    [workspaceId, id, now],
  )
  return row && toTrigger(row)
}

/** A workspace, and the kind of an event in it. */
export interface WorkspaceEvent {
  workspaceId: string
  event: string
}

/** Returns those of the events at which a trigger of their workspace may start a run. */
export async function findWantedEvents(
  worker: Database['worker'],
  events: readonly WorkspaceEvent[],
): Promise<WorkspaceEvent[]> {
  const { rows } = await worker.query<WorkspaceEvent>(
    `SELECT DISTINCT workspace_id, event FROM triggers JOIN unnest($1::text[], $2::text[]) AS wanted (workspace_id, event)
       USING (workspace_id, event)
     WHERE is_enabled`,
    [events.map(({ workspaceId }) => workspaceId), events.map(({ event }) => event)],
  )
  return rows
}

/** Locks the enabled triggers at events of some kinds, so that the runs of each are counted one after another. */
export async function lockEventTriggers(
  query: Query,
  workspaceId: string,
  kinds: readonly string[],
): Promise<Trigger[]> {
  const rows = await query<Model>(
    `SELECT ${columns} FROM triggers WHERE workspace_id = $1 AND event = ANY ($2) AND is_enabled ORDER BY id FOR UPDATE`,
    [workspaceId, kinds],
  )
  return rows.map(toTrigger)
}

export async function setNextRun(query: Query, { workspaceId, id }: TriggerKey, nextRunAt: Date | null): Promise<void> {
  await query('UPDATE triggers SET next_run_at = $3 WHERE workspace_id = $1 AND id = $2', [workspaceId, id, nextRunAt])
}

export async function recordTriggeredRun(
  query: Query,
  { workspaceId, id }: TriggerKey,
  runId: string,
  at: Date,
): Promise<void> {
  await query('UPDATE triggers SET last_run_id = $3, last_run_at = $4 WHERE workspace_id = $1 AND id = $2', [
    ...[workspaceId, id, runId, at],
  ])
}

export async function recordSkipped(
  query: Query,
  { workspaceId, id }: TriggerKey,
  reason: string,
  at: Date,
): Promise<void> {
  await query('UPDATE triggers SET skipped_at = $4, skip_reason = $3 WHERE workspace_id = $1 AND id = $2', [
    ...[workspaceId, id, reason, at],
  ])
}
