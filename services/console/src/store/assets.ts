import { inWorkerTransaction, type Query, type Row } from '@wp/database'
import type { Pool } from 'pg'
import type { Asset } from '#db'

/** A file of a build, as it is stored. */
export interface AssetRow extends Row<Asset, 'name' | 'contentType'> {
  content: Buffer
  gzip: Buffer | null
  brotli: Buffer | null
}

/** Stores files that have no row yet, in one transaction. @param rows in the order of names, as in `touchAssets` */
export const insertAssets = (pool: Pool, rows: readonly AssetRow[], usedAt: Date): Promise<void> =>
  inWorkerTransaction(pool, async (_client, query, commit) => {
    const inserted = rows.map(({ name, contentType, content, gzip, brotli }) =>
      query(
        `INSERT INTO assets (name, content_type, content, gzip, brotli, used_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (name) DO NOTHING`,
        [name, contentType, content, gzip, brotli, usedAt],
        'insert_asset',
      ),
    )
    commit()
    await Promise.all(inserted)
  })

/** Records that a running build has these files. @returns the names that have a row */
export async function touchAssets(pool: Pool, names: readonly string[], usedAt: Date): Promise<Set<string>> {
  // rows are locked in one order, because several replicas do this at once
  const { rows } = await pool.query<Row<Asset, 'name'>>(
    `WITH mine AS (SELECT name FROM assets WHERE name = ANY($1) ORDER BY name COLLATE "C" FOR UPDATE)
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
