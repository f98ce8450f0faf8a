import type { Query, Row } from '@wp/database'
import type { PlanChange, Subscription } from '#db'

export type SubscriptionRow = Row<Omit<Subscription, 'limitsSentAt' | 'sentLimits'>> & { sentLimits: unknown }

const columns = `id, workspace_id, shard, plan_code, seats, status, anchor_at,
  pending_plan_code, pending_seats, pending_at,
  limits_version, sent_limits, created_at, updated_at`

/** Finds the subscription of a workspace; undefined if it never subscribed. */
export async function findSubscription(query: Query, workspaceId: string): Promise<SubscriptionRow | undefined> {
  const [row] = await query<SubscriptionRow>(`SELECT ${columns} FROM subscriptions WHERE workspace_id = $1`, [
    workspaceId,
  ])
  return row
}

type NewSubscription = Pick<SubscriptionRow, 'id' | 'workspaceId' | 'shard' | 'planCode' | 'seats' | 'anchorAt'>

/** Inserts the subscription of a workspace unless it has one, and locks it until the end of the transaction. */
export async function insertOrLockSubscription(
  query: Query,
  row: NewSubscription,
  now: Date,
): Promise<SubscriptionRow> {
  const { id, workspaceId, shard, planCode, seats, anchorAt } = row
  await query(
    `INSERT INTO subscriptions (id, workspace_id, shard, plan_code, seats, anchor_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (workspace_id) DO NOTHING`,
    [id, workspaceId, shard, planCode, seats, anchorAt, now],
  )
  const locked = await lockSubscription(query, workspaceId, 'true')
  if (locked === undefined) throw new Error('the inserted subscription is not visible')
  return locked
}

/** Locks a subscription whose pending change is due. @returns undefined if it has none, or another process has it */
export const lockDueSubscription = (
  query: Query,
  workspaceId: string,
  now: Date,
): Promise<SubscriptionRow | undefined> =>
  lockSubscription(query, workspaceId, 'pending_at <= $2', [now], 'SKIP LOCKED')

/** Locks a subscription whose limits were last sent before a time. @returns as `lockDueSubscription` */
export const lockUnsentSubscription = (
  query: Query,
  workspaceId: string,
  before: Date,
): Promise<SubscriptionRow | undefined> =>
  lockSubscription(query, workspaceId, 'limits_sent_at < $2', [before], 'SKIP LOCKED')

async function lockSubscription(
  query: Query,
  workspaceId: string,
  condition: string,
  values: readonly unknown[] = [],
  option = '',
): Promise<SubscriptionRow | undefined> {
  const [row] = await query<SubscriptionRow>(
    `SELECT ${columns} FROM subscriptions WHERE workspace_id = $1 AND ${condition} FOR UPDATE ${option}`,
    [workspaceId, ...values],
  )
  return row
}

type ChangedSubscription = Pick<
  SubscriptionRow,
  'workspaceId' | 'planCode' | 'seats' | 'anchorAt' | 'pendingPlanCode' | 'pendingSeats' | 'pendingAt' | 'updatedAt'
>

/** Updates the terms of a locked subscription. */
export async function updateSubscription(query: Query, row: ChangedSubscription): Promise<void> {
  await query(
    `UPDATE subscriptions SET plan_code = $2, seats = $3, anchor_at = $4, pending_plan_code = $5, pending_seats = $6,
       pending_at = $7, updated_at = $8
     WHERE workspace_id = $1`,
    [
      ...[row.workspaceId, row.planCode, row.seats, row.anchorAt],
      ...[row.pendingPlanCode, row.pendingSeats, row.pendingAt, row.updatedAt],
    ],
  )
}

/** Records the limits that are sent of a locked subscription. */
export async function storeSentLimits(
  query: Query,
  { workspaceId, limitsVersion, sentLimits }: Pick<SubscriptionRow, 'workspaceId' | 'limitsVersion' | 'sentLimits'>,
  now: Date,
): Promise<void> {
  await query(
    'UPDATE subscriptions SET limits_version = $2, sent_limits = $3, limits_sent_at = $4 WHERE workspace_id = $1',
    [workspaceId, limitsVersion, JSON.stringify(sentLimits), now],
  )
}

/** A workspace and the cell it belongs to. */
export type SubscribedWorkspace = Pick<SubscriptionRow, 'workspaceId' | 'shard'>

/** Lists workspaces whose pending change is due, the longest due first. Requires the worker role. */
export const listDueWorkspaces = (query: Query, now: Date, limit: number): Promise<SubscribedWorkspace[]> =>
  query(
    `SELECT workspace_id, shard FROM subscriptions
     WHERE pending_at <= $1 ORDER BY pending_at LIMIT $2`,
    [now, limit],
  )

/** Lists workspaces whose limits were last sent before a time, the longest ago first. Requires the worker role. */
export const listUnsentWorkspaces = (query: Query, before: Date, limit: number): Promise<SubscribedWorkspace[]> =>
  query(
    `SELECT workspace_id, shard FROM subscriptions
     WHERE limits_sent_at < $1 ORDER BY limits_sent_at LIMIT $2`,
    [before, limit],
  )

/** A change of plan or seats that took effect. */
export type NewPlanChange = Row<Omit<PlanChange, 'id'>>

/** Appends a change to the history of a workspace. */
export async function insertPlanChange(query: Query, change: NewPlanChange): Promise<void> {
  const { workspaceId, occurredAt, fromPlan, fromSeats, toPlan, toSeats, anchorAt } = change
  await query(
    `INSERT INTO plan_changes (workspace_id, occurred_at, from_plan, from_seats, to_plan, to_seats, anchor_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [workspaceId, occurredAt, fromPlan, fromSeats, toPlan, toSeats, anchorAt],
  )
}

/** The plan of a workspace that has subscribed. */
export type SubscribedPlan = Row<Subscription, 'workspaceId' | 'planCode' | 'anchorAt'>

/** Returns the plans of those workspaces that have a subscription. */
export const readSubscribedPlans = (query: Query, workspaceIds: readonly string[]): Promise<SubscribedPlan[]> =>
  query<SubscribedPlan>(
    `SELECT workspace_id, plan_code, anchor_at
     FROM subscriptions WHERE workspace_id = ANY ($1)`,
    [workspaceIds],
  )
