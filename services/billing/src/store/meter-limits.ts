import type { Meter } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { MeterLimit, UsageThreshold } from '#db'

/** State of a meter that the services were last told. */
export type StoredMeterLimit = Row<Omit<MeterLimit, 'version'>> & { meter: Meter }

/** A threshold reported in a period. */
export type ReportedThreshold = Row<UsageThreshold> & { meter: Meter }

export const readMeterLimits = (query: Query, workspaceIds: readonly string[]): Promise<StoredMeterLimit[]> =>
  query<StoredMeterLimit>(
    `SELECT workspace_id, meter, exhausted, period_end
     FROM meter_limits WHERE workspace_id = ANY ($1)`,
    [workspaceIds],
  )

/** Stores what the services are told. @returns the version of the event */
export async function writeMeterLimit(query: Query, limit: StoredMeterLimit): Promise<number> {
  const { workspaceId, meter, exhausted, periodEnd } = limit
  const [row] = await query<Row<MeterLimit, 'version'>>(
    `INSERT INTO meter_limits AS known (workspace_id, meter, exhausted, period_end, version) VALUES ($1, $2, $3, $4, 1)
     ON CONFLICT (workspace_id, meter)
     DO UPDATE SET exhausted = excluded.exhausted, period_end = excluded.period_end, version = known.version + 1
     RETURNING version`,
    [workspaceId, meter, exhausted, periodEnd],
  )
  return row?.version ?? 1 // the statement always returns a row
}

export const readThresholds = (query: Query, workspaceIds: readonly string[]): Promise<ReportedThreshold[]> =>
  query<ReportedThreshold>(
    `SELECT workspace_id, meter, period_start, included, percent
     FROM usage_thresholds WHERE workspace_id = ANY ($1)`,
    [workspaceIds],
  )

/** Records that a threshold was reported. @returns false if it was reported before */
export async function insertThreshold(query: Query, threshold: ReportedThreshold): Promise<boolean> {
  const { workspaceId, meter, periodStart, included, percent } = threshold
  const rows = await query(
    `INSERT INTO usage_thresholds (workspace_id, meter, period_start, included, percent) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING percent`,
    [workspaceId, meter, periodStart, included, percent],
  )
  return rows.length > 0
}

/** Deletes what was reported in earlier periods. */
export const deleteEarlierThresholds = (query: Query, workspaceId: string, periodStart: Date): Promise<unknown> =>
  query('DELETE FROM usage_thresholds WHERE workspace_id = $1 AND period_start < $2', [workspaceId, periodStart])
