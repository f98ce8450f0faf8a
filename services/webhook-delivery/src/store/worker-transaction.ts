import type { Database, Query } from '@wp/database'

/**
 * One transaction of the worker role, which sees all workspaces. A connection that failed is not used again.
 * @param settings statements to begin with
 */
export async function inWorkerTransaction<T>(
  pool: Database['worker'],
  settings: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query(`BEGIN; ${settings}`)
    const result = await work(async <Row>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query(text, [...values])
      return rows as Row[] // the caller names the shape of the rows its statement gives
    })
    await client.query('COMMIT')
    return result
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(failure)
  }
}
