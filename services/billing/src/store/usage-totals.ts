import type { Meter, UsageDimension } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { UsageByDimension, UsageTotal } from '#db'

type HourlyRow = Row<UsageTotal> & { meter: Meter }

type DimensionRow = Row<UsageByDimension> & { meter: Meter; dimension: UsageDimension }

/** Adds to the totals of any workspaces. The rows must be distinct and sorted by key. Requires the worker role. */
export async function addUsage(
  query: Query,
  totals: readonly HourlyRow[],
  byDimension: readonly DimensionRow[],
): Promise<void> {
  if (totals.length > 0)
    await query(
      `INSERT INTO usage_totals AS known (workspace_id, meter, hour, quantity)
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[])
       ON CONFLICT (workspace_id, meter, hour) DO UPDATE SET quantity = known.quantity + excluded.quantity`,
      columns(totals, ['workspaceId', 'meter', 'hour', 'quantity']),
    )
  if (byDimension.length > 0)
    await query(
      `INSERT INTO usage_by_dimension AS known (workspace_id, meter, hour, quantity, dimension, value)
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[], $5::text[], $6::text[])
       ON CONFLICT (workspace_id, dimension, meter, hour, value)
       DO UPDATE SET quantity = known.quantity + excluded.quantity`,
      columns(byDimension, ['workspaceId', 'meter', 'hour', 'quantity', 'dimension', 'value']),
    )
}

const columns = <Each>(rows: readonly Each[], names: readonly (keyof Each)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]))

/** Hours that begin at `start` or later and before `end`. */
export interface HourRange {
  start: Date
  end: Date
}

export type MeterTotal = Omit<HourlyRow, 'hour'>

/**
 * Returns the use of each meter in a range of hours, each workspace with its own range. Meters without use are left
 * out.
 */
export const readMeterTotals = (
  query: Query,
  ranges: readonly (HourRange & { workspaceId: string })[],
): Promise<MeterTotal[]> =>
  query<MeterTotal>(
    `SELECT t.workspace_id, t.meter, sum(t.quantity)::bigint AS quantity
     FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS range (workspace_id, starts_at, ends_at)
     JOIN usage_totals t ON t.workspace_id = range.workspace_id AND t.hour >= range.starts_at AND t.hour < range.ends_at
     GROUP BY t.workspace_id, t.meter`,
    columns(ranges, ['workspaceId', 'start', 'end']),
  )

/** The use of a meter in an hour, a day or a month, or with one value of a dimension. */
export type UsageGroupRow = Pick<HourlyRow, 'meter' | 'quantity'> & { start: Date | null; value: string | null }

interface GroupQuery extends HourRange {
  workspaceId: string
  /** Default: all. */
  meter: Meter | null
}

/** Returns the use by meter and hour, day or month (UTC); with `all` by meter alone. */
export const readUsageByTime = (
  query: Query,
  { workspaceId, meter, start, end }: GroupQuery,
  unit: 'hour' | 'day' | 'month' | 'all',
): Promise<UsageGroupRow[]> =>
  query<UsageGroupRow>(
    `SELECT meter, CASE WHEN $5 <> 'all' THEN date_trunc(nullif($5, 'all'), hour, 'UTC') END AS start, NULL AS value,
       sum(quantity)::bigint AS quantity
     FROM usage_totals
     WHERE workspace_id = $1 AND hour >= $2 AND hour < $3 AND ($4::text IS NULL OR meter = $4)
     GROUP BY 1, 2 ORDER BY 2, 1`,
    [workspaceId, start, end, meter, unit],
  )

/** Returns the use by meter and value of a dimension, largest first; use without the dimension has the value null. */
export const readUsageByDimension = (
  query: Query,
  { workspaceId, meter, start, end }: GroupQuery,
  { dimension, limit }: { dimension: UsageDimension; limit: number },
): Promise<UsageGroupRow[]> =>
  query<UsageGroupRow>(
    `WITH dimension AS (
       SELECT meter, value, sum(quantity) AS quantity FROM usage_by_dimension
       WHERE workspace_id = $1 AND dimension = $5 AND hour >= $2 AND hour < $3 AND ($4::text IS NULL OR meter = $4)
       GROUP BY 1, 2
     ), total AS (
       SELECT meter, sum(quantity) AS quantity FROM usage_totals
       WHERE workspace_id = $1 AND hour >= $2 AND hour < $3 AND ($4::text IS NULL OR meter = $4)
       GROUP BY 1
     ), without AS (
       SELECT meter, NULL AS value,
         total.quantity - coalesce((SELECT sum(d.quantity) FROM dimension d WHERE d.meter = total.meter), 0) AS quantity
       FROM total
     )
     SELECT meter, NULL AS start, value, quantity::bigint AS quantity
     FROM (SELECT * FROM dimension UNION ALL SELECT * FROM without WHERE quantity > 0) AS grouped
     ORDER BY quantity DESC, meter, value LIMIT $6`,
    [workspaceId, start, end, meter, dimension, limit],
  )
