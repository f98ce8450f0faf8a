import type { Database } from '@wp/database'
import type { PoolClient } from 'pg'

/** One transaction of the role that sees all workspaces. */
export async function inWorkerTransaction<T>(
  pool: Database['worker'],
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } finally {
    // One that is not between transactions has failed, and is closed.
    client.release(client.getTransactionStatus() !== 'I')
  }
}
