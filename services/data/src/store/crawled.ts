import type { Query } from '@wp/database'
import { deleteRecords } from './delete-records.ts'
import type { LockedSource } from './sources.ts'

/** A record as it is told from others. */
export interface Keyed {
  recordId: string
  key: string
}

const pageRows = 5_000

/**
 * Some records of a source, or of one part of it, in the order of their keys.
 * @param part undefined: those that are of none
 * @param after the last key of the page before
 */
export async function listKeys(
  query: Query,
  { workspaceId, dataSourceId }: Pick<LockedSource, 'workspaceId' | 'dataSourceId'>,
  part: number | undefined,
  after: string,
): Promise<Keyed[]> {
  const ofPart = part === undefined ? 'part_id IS NULL' : 'part_id = $5'
  return query<Keyed>(
    `SELECT record_id AS "recordId", key FROM data_records
      WHERE workspace_id = $1 AND data_source_id = $2 AND ${ofPart} AND key > $3 ORDER BY key LIMIT $4`,
    [workspaceId, dataSourceId, after, pageRows, ...(part === undefined ? [] : [part])],
  )
}

/** Some records of parts that are gone. */
export async function listOfParts(query: Query, source: LockedSource, parts: readonly number[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `SELECT record_id AS id FROM data_records
      WHERE workspace_id = $1 AND data_source_id = $2 AND part_id = ANY ($3::integer[]) LIMIT 1000`,
    [source.workspaceId, source.dataSourceId, parts],
  )
  return rows.map(({ id }) => id)
}

/** Deletes records of a source that is locked, and counts them off. @returns how many there were */
export async function removeRecords(query: Query, source: LockedSource, ids: readonly string[]): Promise<number> {
  const removed = await deleteRecords(query, source, ids)
  await query(
    'UPDATE data_sources SET record_count = record_count - $3 WHERE workspace_id = $1 AND data_source_id = $2',
    [source.workspaceId, source.dataSourceId, removed],
  )
  return removed
}

/** Keeps where the next incremental crawl of a locked source may go on. */
export async function keepCursor(query: Query, source: LockedSource, cursor: string): Promise<void> {
  await query(
    'UPDATE data_sources SET cursor = $3, cursor_reading = reading WHERE workspace_id = $1 AND data_source_id = $2',
    [source.workspaceId, source.dataSourceId, cursor],
  )
}

/** Not everything was gone through, so what was seen is not all there is. */
export async function keepFields(query: Query, source: LockedSource): Promise<void> {
  source.fieldsAnew = null
  await query('UPDATE data_sources SET fields_anew = NULL WHERE workspace_id = $1 AND data_source_id = $2', [
    source.workspaceId,
    source.dataSourceId,
  ])
}
