import type { Query } from '../connection/query.ts'

/** The limits that the plan of a workspace sets. */
export interface StoredPlanLimits {
  /** Code of the plan. */
  plan: string
  /** Increases with each change of a workspace. */
  version: number
  credentialPerMinute: number
  /** Requests a minute of the workspace, by service. */
  workspacePerMinute: Readonly<Record<string, number>>
  /** Limits by name of the quota, where the plan differs from the default. */
  quotas: Readonly<Record<string, number>>
  auditRetentionDays: number
}

/**
 * Stores the limits of the workspace of the transaction.
 *
 * @returns false if the stored ones have the same or a higher version
 */
export async function storePlanLimits(query: Query, workspaceId: string, limits: StoredPlanLimits): Promise<boolean> {
  const { plan, version, credentialPerMinute, workspacePerMinute, quotas, auditRetentionDays } = limits
  const stored = await query(
    `INSERT INTO platform.plan_limits AS known (workspace_id, plan, version, credential_per_minute, workspace_per_minute,
       quotas, audit_retention_days)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (workspace_id) DO UPDATE SET plan = excluded.plan, version = excluded.version,
       credential_per_minute = excluded.credential_per_minute, workspace_per_minute = excluded.workspace_per_minute,
       quotas = excluded.quotas, audit_retention_days = excluded.audit_retention_days, updated_at = now()
     WHERE known.version < excluded.version RETURNING workspace_id`,
    [
      ...[workspaceId, plan, version, credentialPerMinute, JSON.stringify(workspacePerMinute)],
      ...[JSON.stringify(quotas), auditRetentionDays],
    ],
  )
  return stored.length > 0
}
