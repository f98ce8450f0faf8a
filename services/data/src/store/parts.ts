import type { Query } from '@wp/database'
import type { LockedSource } from './sources.ts'

type Whose = Pick<LockedSource, 'workspaceId' | 'dataSourceId'>

/** Numbers of parts that a sync found, new ones included. */
export async function partIds(
  query: Query,
  { workspaceId, dataSourceId }: Whose,
  syncId: string,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await query<{ name: string; id: number }>(
    `INSERT INTO source_parts (workspace_id, data_source_id, name, seen_in)
     SELECT $1, $2, name, $3 FROM unnest($4::text[]) AS given (name)
     ON CONFLICT (data_source_id, name) DO UPDATE SET seen_in = excluded.seen_in
     RETURNING name, part_id AS id`,
    [workspaceId, dataSourceId, syncId, names],
  )
  return new Map(rows.map(({ name, id }) => [name, id]))
}

/** Notes that a sync found parts as they were. */
export async function seeParts(query: Query, source: Whose, syncId: string, names: readonly string[]): Promise<void> {
  await query(
    `UPDATE source_parts SET seen_in = $3 WHERE workspace_id = $1 AND data_source_id = $2 AND name = ANY ($4::text[])`,
    [source.workspaceId, source.dataSourceId, syncId, names],
  )
}

/** Notes that parts were read to their end. */
export async function endParts(
  query: Query,
  { workspaceId, dataSourceId, reading }: Whose & Pick<LockedSource, 'reading'>,
  ended: readonly { name: string; version: string }[],
): Promise<void> {
  if (ended.length === 0) return
  await query(
    `UPDATE source_parts AS part SET version = ended.version, reading = $3
       FROM unnest($4::text[], $5::text[]) AS ended (name, version)
      WHERE workspace_id = $1 AND data_source_id = $2 AND part.name = ended.name`,
    [workspaceId, dataSourceId, reading, ended.map(({ name }) => name), ended.map(({ version }) => version)],
  )
}

/** The versions of parts that were read to their end since it was last decided to read all anew. */
export async function versionsOf(
  query: Query,
  { workspaceId, dataSourceId, reading }: Whose & Pick<LockedSource, 'reading'>,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ name: string; version: string }>(
    `SELECT name, version FROM source_parts
      WHERE workspace_id = $1 AND data_source_id = $2 AND name = ANY ($3::text[]) AND reading = $4`,
    [workspaceId, dataSourceId, names, reading],
  )
  return new Map(rows.map(({ name, version }) => [name, version]))
}

/** A part that was there before; undefined when it is new. */
export async function knownPart(query: Query, source: Whose, name: string): Promise<number | undefined> {
  const [row] = await query<{ id: number }>(
    'SELECT part_id AS id FROM source_parts WHERE workspace_id = $1 AND data_source_id = $2 AND name = $3',
    [source.workspaceId, source.dataSourceId, name],
  )
  return row?.id
}

/** Some of the parts that a sync did not find. */
export async function goneParts(query: Query, source: Whose, syncId: string): Promise<number[]> {
  const rows = await query<{ id: number }>(
    `SELECT part_id AS id FROM source_parts
      WHERE workspace_id = $1 AND data_source_id = $2 AND seen_in <> $3 LIMIT 1000`,
    [source.workspaceId, source.dataSourceId, syncId],
  )
  return rows.map(({ id }) => id)
}

/** Forgets parts that have no records any more. */
export async function removeParts(query: Query, source: Whose, ids: readonly number[]): Promise<void> {
  await query('DELETE FROM source_parts WHERE workspace_id = $1 AND part_id = ANY ($2::integer[])', [
    source.workspaceId,
    ids,
  ])
}
