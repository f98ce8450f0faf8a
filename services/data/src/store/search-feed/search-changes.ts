import type { Database, Row } from '@wp/database'
import type { SearchChange as SearchChangeModel } from '#db'

type WorkerPool = Database['worker']

/** A record whose document is out of date. */
export interface SearchChange extends Row<SearchChangeModel, 'recordId' | 'workspaceId'> {
  /** Of the change: a document of a lower version is older. */
  version: string
}

/** Longer than the limit of a bulk write, so that only the changes of a killed replica are claimed twice. */
const claimSeconds = 60

/**
 * Claims changes: of each workspace that has some the oldest ones, the same number of each. So a workspace with a
 * million changes delays the others by one batch.
 * @param after the last workspace of the batch before
 * @param limits of workspaces, and of changes in total
 */
export async function claimSearchChanges(
  pool: WorkerPool,
  after: string,
  { workspaces: maxWorkspaces, changes: maxChanges }: { workspaces: number; changes: number },
): Promise<SearchChange[]> {
  const { rows: waiting } = await pool.query<{ id: string }>(waitingSql, [after, maxWorkspaces])
  if (waiting.length === 0) return []
  const ids = waiting.map(({ id }) => id)
  const { rows } = await pool.query<SearchChange>(claimSql, [ids, Math.ceil(maxChanges / ids.length)])
  return rows
}

/** Reads one entry of the index for each workspace, instead of all changes. */
const waitingSql = `
  WITH RECURSIVE waiting AS (
    (SELECT workspace_id AS id, 1 AS nth FROM search_changes WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT workspace_id FROM search_changes WHERE workspace_id > waiting.id ORDER BY workspace_id LIMIT 1), nth + 1
      FROM waiting WHERE waiting.id IS NOT NULL AND nth < $2
  )
  SELECT id FROM waiting WHERE id IS NOT NULL`

const claimSql = `
  UPDATE search_changes SET claimed_until = now() + interval '${claimSeconds} s'
   WHERE record_id = ANY (ARRAY (
     SELECT record_id FROM unnest($1::text[]) AS workspace (id)
      CROSS JOIN LATERAL (
        SELECT record_id FROM search_changes
         WHERE workspace_id = workspace.id AND (claimed_until IS NULL OR claimed_until < now())
         ORDER BY version LIMIT $2 FOR UPDATE SKIP LOCKED
      ) AS oldest))
  RETURNING record_id, workspace_id, version`

/**
 * SQL subquery: the given changes, without those whose records changed again. Rows that another transaction has locked
 * are left out: it writes a newer change or deletes this one, and waiting for several of its rows could deadlock.
 */
const lockGiven = `SELECT change.record_id FROM search_changes AS change
   JOIN unnest($1::text[], $2::bigint[]) AS given (id, version)
     ON change.record_id = given.id AND change.version = given.version
  FOR UPDATE OF change SKIP LOCKED`

/** Deletes changes whose documents are written. One that is left out is claimed again when its claim ends. */
export async function deleteSearchChanges(pool: WorkerPool, changes: readonly SearchChange[]): Promise<void> {
  await pool.query(`DELETE FROM search_changes WHERE record_id = ANY (ARRAY (${lockGiven}))`, [
    changes.map(({ recordId }) => recordId),
    changes.map(({ version }) => version),
  ])
}

/** Returns changes to the others, so that they are claimed again at once. */
export async function releaseSearchChanges(pool: WorkerPool, changes: readonly SearchChange[]): Promise<void> {
  await pool.query(`UPDATE search_changes SET claimed_until = NULL WHERE record_id = ANY (ARRAY (${lockGiven}))`, [
    changes.map(({ recordId }) => recordId),
    changes.map(({ version }) => version),
  ])
}

const maxCounted = 100_000

/** Counts the changes that wait, up to 100,000. */
export async function countSearchChanges(pool: WorkerPool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (SELECT FROM search_changes LIMIT ${maxCounted}) AS waiting`,
  )
  return rows[0]?.count ?? 0
}
