import type { Pool, PoolClient } from 'pg'

export type WorkerClient = PoolClient

/** Runs the work in one transaction of the worker role. A connection that failed is not used again. */
export async function inWorkerTransaction<T>(pool: Pool, work: (client: WorkerClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    // On a connection that is gone there is nothing to roll back, and the first error is the one to tell.
    await client.query('ROLLBACK').then(
      () => (failure = undefined),
      () => {},
    )
    throw error
  } finally {
    client.release(failure)
  }
}
