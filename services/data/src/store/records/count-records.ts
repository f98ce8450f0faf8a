import type { Query } from '@wp/database'
import type { SourceKey } from '../sources/sources.ts'

/** Values of a field: those between two, or some. */
export interface RecordValues {
  field: string
  first?: string
  last?: string
  values?: readonly string[]
}

/** Counts the records of a source that have such values. Reads all of them. */
export async function countRecordsWith(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  { field, first, last, values }: RecordValues,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM data_records
      WHERE workspace_id = $1 AND data_source_id = $2
        AND (data ->> $3 COLLATE "C" BETWEEN $4 AND $5 OR data ->> $3 = ANY ($6::text[]))`,
    [workspaceId, dataSourceId, field, first ?? null, last ?? null, values ?? null],
  )
  return row?.count ?? 0
}
