import type { Query } from '@wp/database'
import { countReadKeys, limitFieldValues, selectFieldValues } from './page-limit.ts'

/** The place of a record in the order of creation, newest first. */
export interface RecordPosition {
  createdAt: Date
  recordId: string
}

export interface ListedRecord extends RecordPosition {
  dataSourceId: string
}

/**
 * Lists records of several sources, newest first. Merges index scans, one a source, so that no page sorts or skips
 * records.
 * @param query runs in index order; see store/records/record-keys.ts
 * @param after position of the last record of the page before
 */
export async function listNewestRecords(
  query: Query,
  workspaceId: string,
  sourceIds: readonly string[],
  { after, limit }: { after: RecordPosition | undefined; limit: number },
): Promise<ListedRecord[]> {
  if (sourceIds.length === 0) return []
  const position = after === undefined ? '' : 'AND (created_at, record_id) < ($3, $4)'
  const values = [workspaceId, limit, ...(after === undefined ? [] : [after.createdAt, after.recordId])]
  const scans = sourceIds.map(
    (_, nth) => `(SELECT data_source_id, record_id, created_at FROM data_records
      WHERE workspace_id = $1 AND data_source_id = $${values.length + nth + 1} ${position}
      ORDER BY created_at DESC, record_id DESC LIMIT $2)`,
  )
  return query<ListedRecord>(
    `SELECT data_source_id, record_id, created_at
       FROM (${scans.join(' UNION ALL ')}) AS records ORDER BY created_at DESC, record_id DESC LIMIT $2`,
    [...values, ...sourceIds],
  )
}

/** Values of the requested fields of one record, in order. */
export interface RecordFields {
  /** Index of the record in `recordIds`. */
  position: number
  fieldValues: unknown[]
}

/**
 * Reads field values of the first records. Deleted records are left out.
 * @returns also the number of ids that were read: fewer than given if the values are too large for one page
 */
export async function readFieldValues(
  query: Query,
  workspaceId: string,
  recordIds: readonly string[],
  fields: readonly string[],
): Promise<{ records: RecordFields[]; read: number }> {
  const records = await query<RecordFields & { isPageEnd: boolean }>(fieldValuesSql, [workspaceId, recordIds, fields])
  return { records, read: countReadKeys(records, recordIds.length) }
}

const fieldValuesSql = `
  SELECT position, field_values, is_page_end FROM (${limitFieldValues(`
    SELECT (nth - 1)::integer AS position, field_values, nth
      FROM unnest($2::text[]) WITH ORDINALITY AS given (id, nth)
     CROSS JOIN LATERAL (
       SELECT ${selectFieldValues('$3')} AS field_values
         FROM data_records WHERE workspace_id = $1 AND record_id = id LIMIT 1
     ) AS found`)}
  ) AS page
   ORDER BY nth`
