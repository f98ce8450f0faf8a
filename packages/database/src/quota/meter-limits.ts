import { type Meter, meterExhausted } from '@wp/contracts'
import type { Query } from '../connection/query.ts'

/** Latest report of billing about a meter. */
export interface MeterLimit {
  meter: Meter
  exhausted: boolean
  periodEnd: Date
  /** Increases with each report of a workspace and meter. */
  version: number
}

/** Stores what billing reported, unless a later report is stored. @returns false if one is */
export async function storeMeterLimit(query: Query, workspaceId: string, limit: MeterLimit): Promise<boolean> {
  const { meter, exhausted, periodEnd, version } = limit
  const rows = await query(
    `INSERT INTO platform.meter_limits AS known (workspace_id, meter, exhausted, period_end, version)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, meter)
     DO UPDATE SET exhausted = excluded.exhausted, period_end = excluded.period_end, version = excluded.version
     WHERE known.version < excluded.version
     RETURNING version`,
    [workspaceId, meter, exhausted, periodEnd, version],
  )
  return rows.length > 0
}

/** Returns SQL that joins the limit of a meter to a workspace in which it is exhausted, named `exhausted`. */
export const joinExhaustedMeter = (meter: Meter, workspaceId: string): string =>
  `LEFT JOIN platform.meter_limits exhausted ON exhausted.workspace_id = ${workspaceId}
     AND exhausted.meter = '${meter}' AND exhausted.exhausted AND exhausted.period_end > now()`

/**
 * Asserts that the included use of none of the meters is exhausted in the current period. Use appears seconds after it
 * happened, so what is used in these seconds exceeds the limit.
 *
 * @throws Problem `quota_exceeded`
 */
export async function enforceMeters(query: Query, workspaceId: string, meters: readonly Meter[]): Promise<void> {
  const [exhausted] = await query<{ meter: Meter; periodEnd: Date }>(
    `SELECT meter, period_end FROM platform.meter_limits
     WHERE workspace_id = $1 AND meter = ANY ($2) AND exhausted AND period_end > now() ORDER BY meter LIMIT 1`,
    [workspaceId, meters],
    'enforce_meters',
  )
  if (exhausted !== undefined) throw meterExhausted(exhausted.meter, exhausted.periodEnd)
}
