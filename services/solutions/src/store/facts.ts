import type { Query, Row } from '@wp/database'
import type { BookingUse, FactSegment } from '#db'

/** A segment as it is written and read; days are texts such as `2026-03-05`. */
export type SegmentRow = Row<FactSegment, 'datasetId' | 'segmentId' | 'facts'> & { day: string }

export async function insertSegments(
  query: Query,
  workspaceId: string,
  datasetId: string,
  segments: readonly { day: string; facts: Uint8Array }[],
): Promise<void> {
  if (segments.length === 0) return
  await query(
    `INSERT INTO fact_segments (workspace_id, dataset_id, day, facts)
     SELECT $1, $2, day, facts FROM unnest($3::date[], $4::bytea[]) AS given (day, facts)`,
    [workspaceId, datasetId, segments.map(({ day }) => day), segments.map(({ facts }) => facts)],
  )
}

/** Returns the segments of all datasets of a workspace on some days, in the order in which they were written. */
export const findSegments = (query: Query, workspaceId: string, days: readonly string[]): Promise<SegmentRow[]> =>
  query<SegmentRow>(
    `SELECT dataset_id, day::text, segment_id, facts FROM fact_segments
     WHERE workspace_id = $1 AND day = ANY ($2::date[]) ORDER BY dataset_id, day, segment_id`,
    [workspaceId, days],
  )

export async function deleteSegments(query: Query, workspaceId: string, segmentIds: readonly number[]): Promise<void> {
  if (segmentIds.length === 0) return
  await query('DELETE FROM fact_segments WHERE workspace_id = $1 AND segment_id = ANY ($2::bigint[])', [
    workspaceId,
    segmentIds,
  ])
}

/** Returns the first and the last day of a dataset or workspace with facts; null if there are none. */
export async function findFactRange(
  query: Query,
  workspaceId: string,
  datasetId?: string,
): Promise<{ first: string; last: string } | null> {
  const [row] = await query<{ first: string | null; last: string | null }>(
    `SELECT min(day)::text AS first, max(day)::text AS last FROM fact_segments
     WHERE workspace_id = $1 AND day > '1970-01-01' AND ($2::text IS NULL OR dataset_id = $2)`,
    [workspaceId, datasetId ?? null],
  )
  return row?.first == null || row.last == null ? null : { first: row.first, last: row.last }
}

/** Returns the first and the last day with facts of each dataset of a workspace. */
export const findFactRanges = (
  query: Query,
  workspaceId: string,
): Promise<{ datasetId: string; first: string; last: string }[]> =>
  query(
    `SELECT dataset_id, min(day)::text AS first, max(day)::text AS last FROM fact_segments
     WHERE workspace_id = $1 AND day > '1970-01-01' GROUP BY dataset_id`,
    [workspaceId],
  )

type Uses = Row<BookingUse, 'used' | 'unused' | 'blank'>
/** Bookings that begin on a day and are not cancelled, by what their column of use says. */
export type DayUses = Uses & { day: string }
/** The same of a value of the column of spaces; of -1 for none. */
export type SpaceUses = Uses & Row<BookingUse, 'valueId'>

const sumsOfUses = 'sum(used)::int AS used, sum(unused)::int AS unused, sum(blank)::int AS blank'

/** Returns the uses of the bookings of a dataset by day. */
export const findDayUses = (query: Query, workspaceId: string, datasetId: string): Promise<DayUses[]> =>
  query(
    `SELECT day::text, ${sumsOfUses} FROM booking_uses
     WHERE workspace_id = $1 AND dataset_id = $2 GROUP BY booking_uses.day ORDER BY booking_uses.day`,
    [workspaceId, datasetId],
  )

/** Returns the uses of the bookings of a dataset by space, from one day to another. */
export const findSpaceUses = (
  query: Query,
  workspaceId: string,
  datasetId: string,
  { first, last }: { first: string; last: string },
): Promise<SpaceUses[]> =>
  query(
    `SELECT value_id, ${sumsOfUses} FROM booking_uses
     WHERE workspace_id = $1 AND dataset_id = $2 AND day BETWEEN $3::date AND $4::date
     GROUP BY value_id ORDER BY value_id`,
    [workspaceId, datasetId, first, last],
  )

/** Adds uses of bookings, which are negative for rows that are gone. */
export async function addBookingUses(
  query: Query,
  workspaceId: string,
  datasetId: string,
  uses: readonly (DayUses & SpaceUses)[],
): Promise<void> {
  if (uses.length === 0) return
  await query(
    `INSERT INTO booking_uses AS known (workspace_id, dataset_id, day, value_id, used, unused, blank)
     SELECT $1, $2, day, "valueId", used, unused, blank
     FROM jsonb_to_recordset($3::jsonb) AS given (day date, "valueId" int, used int, unused int, blank int)
     ON CONFLICT (workspace_id, dataset_id, day, value_id) DO UPDATE SET used = known.used + excluded.used,
       unused = known.unused + excluded.unused, blank = known.blank + excluded.blank`,
    [workspaceId, datasetId, JSON.stringify(uses)],
  )
}

export async function markStaleWeeks(query: Query, workspaceId: string, days: readonly string[]): Promise<void> {
  await query(
    `INSERT INTO stale_weeks AS known (workspace_id, week)
     SELECT $1, week FROM (SELECT DISTINCT date_trunc('week', day::date)::date AS week FROM unnest($2::text[]) AS day) AS given
     ORDER BY week
     ON CONFLICT (workspace_id, week) DO UPDATE SET change_count = known.change_count + 1`,
    [workspaceId, days],
  )
}

/** Marks all weeks as stale from one day to another, by default from the first to the last with facts. */
export async function markStaleRange(
  query: Query,
  workspaceId: string,
  range?: { first: string; last: string },
): Promise<void> {
  await query(
    `INSERT INTO stale_weeks AS known (workspace_id, week)
     SELECT $1, week::date FROM (
       SELECT coalesce($2::date, min(day)) AS first, coalesce($3::date, max(day)) AS last FROM fact_segments
       WHERE workspace_id = $1 AND day > '1970-01-01') AS range
     CROSS JOIN LATERAL generate_series(date_trunc('week', first), last, interval '7 days') AS week
     ORDER BY week
     ON CONFLICT (workspace_id, week) DO UPDATE SET change_count = known.change_count + 1`,
    [workspaceId, range?.first ?? null, range?.last ?? null],
  )
}

export interface StaleWeek {
  week: string
  changeCount: number
}

/** Returns the first stale week after another one, or undefined. */
export async function findStaleWeek(query: Query, workspaceId: string, after: string): Promise<StaleWeek | undefined> {
  const [row] = await query<StaleWeek>(
    `SELECT week::text, change_count FROM stale_weeks WHERE workspace_id = $1 AND week > $2::date ORDER BY week LIMIT 1`,
    [workspaceId, after],
  )
  return row
}

/** Returns true if a week with a day of the range is stale; `until` is excluded. */
export async function hasStaleWeeks(
  query: Query,
  workspaceId: string,
  { since, until }: { since: string; until: string },
): Promise<boolean> {
  const found = await query(
    `SELECT FROM stale_weeks WHERE workspace_id = $1 AND week > $2::date - 7 AND week < $3::date LIMIT 1`,
    [workspaceId, since, until],
  )
  return found.length > 0
}

export async function countStaleWeeks(query: Query, workspaceId: string): Promise<number> {
  const [row] = await query<{ weeks: number }>(
    'SELECT count(*)::int AS weeks FROM stale_weeks WHERE workspace_id = $1',
    [workspaceId],
  )
  return row?.weeks ?? 0
}

/** Removes the mark of a week unless it changed since it was read. */
export async function clearStaleWeek(query: Query, workspaceId: string, stale: StaleWeek): Promise<void> {
  await query('DELETE FROM stale_weeks WHERE workspace_id = $1 AND week = $2 AND change_count = $3', [
    workspaceId,
    stale.week,
    stale.changeCount,
  ])
}

/** Serializes marks of stale weeks with the end of a count, until the end of the transaction. */
export async function lockStaleWeeks(query: Query, workspaceId: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 5))', [`recount/${workspaceId}`])
}

/** Deletes what was counted from a dataset, but not its figures in the space and team days. */
export async function deleteFactsOf(query: Query, workspaceId: string, datasetId: string): Promise<void> {
  await query(
    `WITH segments AS (DELETE FROM fact_segments WHERE workspace_id = $1 AND dataset_id = $2),
       texts AS (DELETE FROM dataset_values WHERE workspace_id = $1 AND dataset_id = $2),
       uses AS (DELETE FROM booking_uses WHERE workspace_id = $1 AND dataset_id = $2),
       days AS (DELETE FROM reader_days WHERE workspace_id = $1 AND dataset_id = $2)
     DELETE FROM reader_gaps WHERE workspace_id = $1 AND dataset_id = $2`,
    [workspaceId, datasetId],
  )
}
