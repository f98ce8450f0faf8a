import type { Query, Row } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import type { ForecastPath } from '#db'

/** The sample paths of a space or team without series in it, or of the remainder of one, packed by `packPaths`. */
export type PathsRow = Row<ForecastPath, 'node' | 'isRemainder' | 'horizon' | 'pathCount' | 'paths'>

/** A space, a team or a remainder of which a run has sample paths. */
export type PathsNode = Omit<PathsRow, 'paths'>

/** Scenarios are made from recent runs. */
const maxRuns = 50
/** Bytes of one statement. */
const batchBytes = 8_000_000

/** Stores the paths of a run, and deletes those of all but the newest runs of the workspace. */
export async function insertForecastPaths(
  query: Query,
  workspaceId: string,
  forecastRunId: string,
  rows: readonly PathsRow[],
): Promise<void> {
  for (let at = 0; at < rows.length; ) {
    let [end, bytes] = [at, 0]
    while (end < rows.length && bytes < batchBytes) bytes += rows[end++]?.paths.byteLength ?? 0
    const batch = rows.slice(at, end)
    at = end
    await query(
      `INSERT INTO forecast_paths (workspace_id, forecast_run_id, node, is_remainder, horizon, path_count, paths)
       SELECT $1, $2, node, is_remainder, horizon, path_count, paths
       FROM unnest($3::text[], $4::boolean[], $5::int[], $6::int[], $7::bytea[])
         AS given (node, is_remainder, horizon, path_count, paths)`,
      [
        ...[workspaceId, forecastRunId, batch.map(({ node }) => node), batch.map(({ isRemainder }) => isRemainder)],
        ...[batch.map(({ horizon }) => horizon), batch.map(({ pathCount }) => pathCount)],
        batch.map(({ paths }) => paths),
      ],
    )
  }
  await query(
    `DELETE FROM forecast_paths WHERE workspace_id = $1 AND forecast_run_id NOT IN
       (SELECT forecast_run_id FROM forecast_paths WHERE workspace_id = $1
        GROUP BY forecast_run_id ORDER BY max(created_at) DESC LIMIT $2)`,
    [workspaceId, maxRuns],
  )
}

/** Returns the sample paths of a run, in the order of their nodes. */
export const findForecastPaths = (query: Query, ...run: [workspaceId: string, runId: string]): Promise<PathsRow[]> =>
  query<PathsRow>(selectPaths(', paths'), run)

/** Returns what a run has sample paths of, in the same order. */
export const findPathsNodes = (query: Query, ...run: [workspaceId: string, runId: string]): Promise<PathsNode[]> =>
  query<PathsNode>(selectPaths(''), run)

const selectPaths = (more: string) =>
  `SELECT node, is_remainder, horizon, path_count${more} FROM forecast_paths
   WHERE workspace_id = $1 AND forecast_run_id = $2 ORDER BY node, is_remainder`

export const deleteForecastPaths = (query: Query, workspaceId: string, forecastRunId: string): Promise<unknown> =>
  query('DELETE FROM forecast_paths WHERE workspace_id = $1 AND forecast_run_id = $2', [workspaceId, forecastRunId])

export const pathRetention: RetentionRule = { table: 'forecast_paths', column: 'created_at', period: '400 days' }
