import type { Query, Row } from '@wp/database'
import type { Pool } from 'pg'
import type { Asset } from '#db'

/** A file of a build, as it is stored. */
export interface AssetRow extends Row<Asset, 'name' | 'contentType'> {
  content: Buffer
  gzip: Buffer | null
  brotli: Buffer | null
}

/** Stores a file that has no row yet. */
export async function insertAsset(pool: Pool, row: AssetRow, usedAt: Date): Promise<void> {
  await pool.query(
    `INSERT INTO assets (name, content_type, content, gzip, brotli, used_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (name) DO NOTHING`,
    [row.name, row.contentType, row.content, row.gzip, row.brotli, usedAt],
  )
}

/** Records that a running build has these files. @returns the names that have a row */
export async function touchAssets(pool: Pool, names: readonly string[], usedAt: Date): Promise<Set<string>> {
  // rows are locked in one order, because several replicas do this at once
  const { rows } = await pool.query<Row<Asset, 'name'>>(
    `WITH mine AS (SELECT name FROM assets WHERE name = ANY($1) ORDER BY name FOR UPDATE)
     UPDATE assets SET used_at = greatest(used_at, $2) FROM mine WHERE assets.name = mine.name RETURNING assets.name`,
    [names, usedAt],
  )
  return new Set(rows.map(({ name }) => name))
}

/** Finds a file by its name. */
export async function findAsset(query: Query, name: string): Promise<AssetRow | undefined> {
  const [row] = await query<AssetRow>(`SELECT name, content_type, content, gzip, brotli FROM assets WHERE name = $1`, [
    name,
  ])
  return row
}

/** Deletes up to `limit` files that no running build has had since a time. @returns the number of deleted files */
export async function deleteUnusedAssets(pool: Pool, before: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM assets WHERE ctid IN
       (SELECT ctid FROM assets WHERE used_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before, limit],
  )
  return rowCount ?? 0
}
