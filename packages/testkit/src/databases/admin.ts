import { Client, escapeIdentifier, Pool, type PoolClient } from 'pg'

export const quoteIdentifier = escapeIdentifier

/** Runs `work` with a connection to the URL, which is closed afterwards. */
export async function withAdminConnection(url: string, work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}

const pools = new Map<string, Pool>()

/**
 * Runs `work` with a connection to the URL that stays open for some seconds: a fleet creates and drops a dozen
 * databases, and a new connection costs more than most of these statements. What belongs to a session, such as a lock,
 * must be undone.
 */
export async function withPooledAdmin(url: string, work: (admin: PoolClient) => Promise<unknown>): Promise<void> {
  const pool = pools.get(url) ?? createPool(url)
  const admin = await pool.connect()
  try {
    await work(admin)
    admin.release()
  } catch (error) {
    admin.release(true)
    throw error
  }
}

function createPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 6, idleTimeoutMillis: 10_000, allowExitOnIdle: true })
  // The test has stopped its server.
  pool.on('error', () => undefined)
  pools.set(url, pool)
  return pool
}
