import type { Query, Row } from '@wp/database'
import type { ReaderDay, ReaderGap } from '#db'

/** Rows of a reader on a day since 1970. */
export type ReaderRows = Row<ReaderDay, 'datasetId' | 'valueId' | 'rows' | 'hasFailed'> & { day: number }

export const readReaderRows = (query: Query, workspaceId: string): Promise<ReaderRows[]> =>
  query<ReaderRows>(
    `SELECT dataset_id, value_id, (day - '1970-01-01'::date) AS day, rows, has_failed
     FROM reader_days WHERE workspace_id = $1`,
    [workspaceId],
  )

export async function replaceReaderGaps(
  query: Query,
  workspaceId: string,
  gaps: readonly { datasetId: string; valueId: number; since: number; until: number; expectedRows: number }[],
): Promise<void> {
  await query('DELETE FROM reader_gaps WHERE workspace_id = $1', [workspaceId])
  if (gaps.length === 0) return
  await query(
    `INSERT INTO reader_gaps (workspace_id, dataset_id, value_id, since, until, expected_rows)
     SELECT $1, dataset_id, value_id, '1970-01-01'::date + since, '1970-01-01'::date + until, expected_rows
     FROM unnest($2::text[], $3::int[], $4::int[], $5::int[], $6::int[])
       AS given (dataset_id, value_id, since, until, expected_rows)`,
    [
      workspaceId,
      gaps.map(({ datasetId }) => datasetId),
      gaps.map(({ valueId }) => valueId),
      gaps.map(({ since }) => since),
      gaps.map(({ until }) => until),
      gaps.map(({ expectedRows }) => expectedRows),
    ],
  )
}

/** A gap with the text of its reader. */
export type NamedGap = Row<ReaderGap, 'datasetId' | 'expectedRows'> & { value: string; since: string; until: string }

/** Returns the gaps of the datasets of a workspace, or of one of them, in order of time. */
export const findReaderGaps = (query: Query, workspaceId: string, datasetId?: string): Promise<NamedGap[]> =>
  query<NamedGap>(
    `SELECT gap.dataset_id, gap.expected_rows, gap.since::text, gap.until::text, known.value
     FROM reader_gaps gap JOIN dataset_values known ON known.dataset_id = gap.dataset_id AND known.value_id = gap.value_id
     WHERE gap.workspace_id = $1 AND ($2::text IS NULL OR gap.dataset_id = $2) ORDER BY gap.since, known.value`,
    [workspaceId, datasetId ?? null],
  )
