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

/** Returns SQL that joins the limits of the plan of a workspace, where they are known, named `plan`. */
export const joinPlanLimits = (workspaceId: string): string =>
  `LEFT JOIN platform.plan_limits plan ON plan.workspace_id = ${workspaceId}`

/** Returns the days for which audit records are kept by the plans of workspaces, of those whose plan is known. */
export async function readAuditRetentionDays(
  query: Query,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ workspaceId: string; auditRetentionDays: number }>(
    'SELECT workspace_id, audit_retention_days FROM platform.plan_limits WHERE workspace_id = ANY ($1)',
    [workspaceIds],
  )
  return new Map(rows.map((row) => [row.workspaceId, row.auditRetentionDays]))
}
