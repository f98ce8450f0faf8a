import type { Query } from '@wp/database'
import type { LockedSource } from './locked-source.ts'
import { isOfSource, type SourceKey } from './sources.ts'

/** Marks parts as seen by a crawl, and inserts unknown ones. @returns part ids by name */
export async function upsertParts(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  crawlId: string,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await query<{ name: string; id: number }>(
    `INSERT INTO source_parts (workspace_id, data_source_id, name, seen_in, found_in)
     SELECT $1, $2, name, $3, $3 FROM unnest($4::text[]) AS given (name)
     ON CONFLICT (data_source_id, name) DO UPDATE SET seen_in = excluded.seen_in
     RETURNING name, part_id AS id`,
    [workspaceId, dataSourceId, crawlId, names],
  )
  return new Map(rows.map(({ name, id }) => [name, id]))
}

/** Marks known parts as seen by a crawl. */
export async function markPartsSeen(
  query: Query,
  source: SourceKey,
  crawlId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await query(
    `UPDATE source_parts SET seen_in = $3 WHERE workspace_id = $1 AND data_source_id = $2 AND name = ANY ($4::text[])`,
    [source.workspaceId, source.dataSourceId, crawlId, names],
  )
}

/** A part that a crawl read to its end. */
export interface CompletedPart {
  name: string
  version: string
  /** True if no row of it could be read. */
  isEmpty: boolean
}

/**
 * Stores the versions of parts that a crawl read to their end.
 * @param hasAppliedDeletions true if records missing from the parts were detached from them; a part that the same crawl
 *   inserted has no such records
 */
export async function completeParts(
  query: Query,
  { workspaceId, dataSourceId, generation }: Pick<LockedSource, 'generation' | keyof SourceKey>,
  crawlId: string,
  parts: readonly CompletedPart[],
  hasAppliedDeletions: boolean,
): Promise<void> {
  if (parts.length === 0) return
  const names = parts.map(({ name }) => name)
  const versions = parts.map(({ version }) => version)
  await query(
    `UPDATE source_parts AS part
        SET version = completed.version, generation = $3, has_applied_deletions = $6 OR found_in IS NOT DISTINCT FROM $7
       FROM unnest($4::text[], $5::text[]) AS completed (name, version)
      WHERE workspace_id = $1 AND data_source_id = $2 AND part.name = completed.name`,
    [workspaceId, dataSourceId, generation, names, versions, hasAppliedDeletions, crawlId],
  )
}

/**
 * Returns the versions, by name, of those parts that were read to their end in the current generation.
 * @param hasAppliedDeletions only parts whose missing records were detached
 */
export async function listPartVersions(
  query: Query,
  { workspaceId, dataSourceId, generation }: Pick<LockedSource, 'generation' | keyof SourceKey>,
  names: readonly string[],
  hasAppliedDeletions: boolean,
): Promise<Map<string, string>> {
  const rows = await query<{ name: string; version: string }>(
    `SELECT name, version FROM source_parts
      WHERE workspace_id = $1 AND data_source_id = $2 AND name = ANY ($3::text[]) AND generation = $4
        AND version IS NOT NULL AND (has_applied_deletions OR NOT $5)`,
    [workspaceId, dataSourceId, names, generation, hasAppliedDeletions],
  )
  return new Map(rows.map(({ name, version }) => [name, version]))
}

/** Returns the names of those parts that were read before, completely or not. */
export async function listKnownParts(query: Query, source: SourceKey, names: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ name: string }>(
    'SELECT name FROM source_parts WHERE workspace_id = $1 AND data_source_id = $2 AND name = ANY ($3::text[])',
    [source.workspaceId, source.dataSourceId, names],
  )
  return new Set(rows.map(({ name }) => name))
}

/** Returns the ids of those parts that existed before a crawl. */
export async function listEarlierParts(
  query: Query,
  source: SourceKey,
  crawlId: string,
  names: readonly string[],
): Promise<number[]> {
  if (names.length === 0) return []
  const rows = await query<{ id: number }>(
    `SELECT part_id AS id FROM source_parts
      WHERE workspace_id = $1 AND data_source_id = $2 AND name = ANY ($3::text[]) AND found_in IS DISTINCT FROM $4`,
    [source.workspaceId, source.dataSourceId, names, crawlId],
  )
  return rows.map(({ id }) => id)
}

/** Returns the ids of up to 1,000 parts that a crawl did not see. @param after last id of the previous page */
export async function listMissingParts(
  query: Query,
  source: SourceKey,
  crawlId: string,
  after: number,
): Promise<number[]> {
  const rows = await query<{ id: number }>(
    `SELECT part_id AS id FROM source_parts
      WHERE workspace_id = $1 AND data_source_id = $2 AND seen_in <> $3 AND part_id > $4 ORDER BY part_id LIMIT 1000`,
    [source.workspaceId, source.dataSourceId, crawlId, after],
  )
  return rows.map(({ id }) => id)
}

/** Removes records from their parts: only a crawl that reads the whole source may delete them. */
export async function detachRecords(query: Query, source: SourceKey, recordIds: readonly string[]): Promise<void> {
  await query(
    `UPDATE data_records SET part_id = NULL
      WHERE workspace_id = $1 AND ${isOfSource('$2')} AND record_id = ANY ($3::text[])`,
    [source.workspaceId, source.dataSourceId, recordIds],
  )
}

/** Deletes parts. Records still assigned to them become records without a part. */
export async function deleteParts(query: Query, { workspaceId }: SourceKey, ids: readonly number[]): Promise<void> {
  await query('UPDATE data_records SET part_id = NULL WHERE workspace_id = $1 AND part_id = ANY ($2::integer[])', [
    workspaceId,
    ids,
  ])
  await query('DELETE FROM source_parts WHERE workspace_id = $1 AND part_id = ANY ($2::integer[])', [workspaceId, ids])
}

/** Deletes up to 10,000 parts of a deleted source. @returns the number of deleted rows */
export async function deletePartsBatch(query: Query, { workspaceId, dataSourceId }: SourceKey): Promise<number> {
  const deleted = await query(
    `DELETE FROM source_parts WHERE part_id IN (
       SELECT part_id FROM source_parts WHERE workspace_id = $1 AND data_source_id = $2 LIMIT 10000)
     RETURNING 1`,
    [workspaceId, dataSourceId],
  )
  return deleted.length
}
