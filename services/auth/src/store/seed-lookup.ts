import type { Database } from '@wp/database'
import type { WorkspacePlacement } from './workspaces/workspaces.ts'

type Pool = Database['worker']
/** A connection of the worker role. */
type Connection = Pick<Pool, 'query'>

/**
 * Runs `work` under an advisory lock, so that only one process seeds the database at a time. `work` gets the connection
 * that holds the lock: one that took another from the pool could wait for those that wait for the lock.
 */
export async function withSeedLock<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('auth.seed', 0))`)
    return await work(client)
  } finally {
    // Closing the connection releases the lock in every case.
    client.release(true)
  }
}

/** The results of an earlier run, including deleted ones, which must not be created again. */
export interface SeededIds extends WorkspacePlacement {
  clientId: string | null
  keyId: string | null
}

interface SeedLookup {
  email: string
  name: string
  createdBy: string
  /** Workspace id, if given; otherwise the workspace is found by name and owner. */
  id: string | undefined
}

/** Finds the results of an earlier run in any workspace. */
export async function findSeeded(
  connection: Connection,
  { email, name, createdBy: seeding, id }: SeedLookup,
): Promise<SeededIds | undefined> {
  const { rows } = await connection.query<SeededIds>(
    `SELECT w.workspace_id, w.shard, w.location,
       (SELECT min(p.client_id) FROM service_principals p
        WHERE p.workspace_id = w.workspace_id AND p.created_by = $3) AS client_id,
       (SELECT min(k.key_id) FROM api_keys k
        WHERE k.workspace_id = w.workspace_id AND k.created_by = $3) AS key_id
     FROM workspaces w
     WHERE w.workspace_id = $4 OR ($4 IS NULL AND w.name = $2 AND EXISTS (
       SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
       WHERE m.workspace_id = w.workspace_id AND m.built_in_role = 'owner' AND u.email = $1))
     ORDER BY w.created_at LIMIT 1`,
    [email, name, seeding, id ?? null],
  )
  return rows[0]
}
