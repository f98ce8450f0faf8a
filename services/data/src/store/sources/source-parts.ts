import type { Query } from '@wp/database'
import type { LockedSource } from './sources.ts'

type SourceKey = Pick<LockedSource, 'workspaceId' | 'dataSourceId'>

/** Notes that a crawl found parts, new ones included, and answers their numbers. */
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

/** Notes that a crawl found parts as they were. */
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

/** A part that was read to its end. */
export interface CompletedPart {
  name: string
  version: string
}

/**
 * Notes that a crawl read parts to their end.
 * @param isSwept whether what is gone from them was removed; from those that the crawl itself found nothing can be gone
 */
export async function completeParts(
  query: Query,
  { workspaceId, dataSourceId, generation: reading }: SourceKey & Pick<LockedSource, 'generation'>,
  crawlId: string,
  ended: readonly CompletedPart[],
  isSwept: boolean,
): Promise<void> {
  if (ended.length === 0) return
  await query(
    `UPDATE source_parts AS part
        SET version = ended.version, reading = $3, swept = $6 OR found_in IS NOT DISTINCT FROM $7
       FROM unnest($4::text[], $5::text[]) AS ended (name, version)
      WHERE workspace_id = $1 AND data_source_id = $2 AND part.name = ended.name`,
    [
      ...[workspaceId, dataSourceId, reading, ended.map(({ name }) => name), ended.map(({ version }) => version)],
      ...[isSwept, crawlId],
    ],
  )
}

/**
 * The versions of parts that were read to their end since it was last decided to read all anew.
 * @param isSwept only of those from which what is gone was removed
 */
export async function listPartVersions(
  query: Query,
  { workspaceId, dataSourceId, generation: reading }: SourceKey & Pick<LockedSource, 'generation'>,
  names: readonly string[],
  isSwept: boolean,
): Promise<Map<string, string>> {
  const rows = await query<{ name: string; version: string }>(
    `SELECT name, version FROM source_parts
      WHERE workspace_id = $1 AND data_source_id = $2 AND name = ANY ($3::text[]) AND reading = $4
        AND version IS NOT NULL AND (swept OR NOT $5)`,
    [workspaceId, dataSourceId, names, reading, isSwept],
  )
  return new Map(rows.map(({ name, version }) => [name, version]))
}

/** Which of these parts were there before a crawl. */
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

/** Some of the parts that a crawl did not find. */
export async function listMissingParts(query: Query, source: SourceKey, crawlId: string): Promise<number[]> {
  const rows = await query<{ id: number }>(
    `SELECT part_id AS id FROM source_parts
      WHERE workspace_id = $1 AND data_source_id = $2 AND seen_in <> $3 LIMIT 1000`,
    [source.workspaceId, source.dataSourceId, crawlId],
  )
  return rows.map(({ id }) => id)
}

/** Forgets parts; records that stay nevertheless are of none from then on. */
export async function deleteParts(query: Query, source: SourceKey, ids: readonly number[]): Promise<void> {
  await query('UPDATE data_records SET part_id = NULL WHERE workspace_id = $1 AND part_id = ANY ($2::integer[])', [
    source.workspaceId,
    ids,
  ])
  await query('DELETE FROM source_parts WHERE workspace_id = $1 AND part_id = ANY ($2::integer[])', [
    source.workspaceId,
    ids,
  ])
}

/** Removes some of the parts of a deleted source. @returns how many */
export async function deletePartsBatch(query: Query, { workspaceId, dataSourceId }: SourceKey): Promise<number> {
  const removed = await query(
    `DELETE FROM source_parts WHERE part_id IN (
       SELECT part_id FROM source_parts WHERE workspace_id = $1 AND data_source_id = $2 LIMIT 10000)
     RETURNING 1`,
    [workspaceId, dataSourceId],
  )
  return removed.length
}
