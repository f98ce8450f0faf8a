import type { Pool, PoolClient, QueryResult } from 'pg'
import type { Query } from '../connection/query.ts'

// A separate package entry point with type imports only: packages that the gateway loads must not load Prisma.

/** A connection of the worker role inside a transaction. */
export type WorkerClient = PoolClient

/**
 * Settings of transactions whose prepared statements find a few rows of large tables by index, whatever the values.
 * They are planned once for each connection instead of each time, and always use the indexes: a plan that was made
 * while a table was small would read all of it until statistics are collected, and a bitmap scan would not mark dead
 * entries of the index, so that the next one steps over them again.
 */
export const indexLookups = indexLookupSettings('SET LOCAL')

/** The same for all statements of a session. */
export const sessionIndexLookups = indexLookupSettings('SET')

function indexLookupSettings(set: 'SET' | 'SET LOCAL'): string {
  const off = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((name) => `${set} enable_${name} = off`)
  return [`${set} plan_cache_mode = force_generic_plan`, ...off].join('; ')
}

/**
 * Runs `work` in one transaction of the worker role, which sees the rows of all workspaces. Rolls back if `work` fails.
 * A connection that cannot roll back is closed instead of returned to the pool.
 *
 * Statements that do not depend on each other can be sent together, by `Promise.all`: they are executed in order and
 * answered in one round trip.
 *
 * @param pool `Database.worker`
 * @param work gets the connection, the same connection as a `Query`, and `commit`, which it may call right after it has
 *   sent its last statements: COMMIT is sent with them, which saves a round trip. If one of them fails, PostgreSQL
 *   rolls back. Nothing but their results may fail after it.
 * @param options.settings SQL sent together with BEGIN, such as `SET LOCAL enable_bitmapscan = off`
 * @param options.isStartHarmless true to send also the first statements of `query` together with BEGIN, which saves a
 *   round trip. If BEGIN fails, PostgreSQL may execute them by themselves, so they must do no harm then; `work` does
 *   not get their results and fails. Do not use the connection itself.
 * @throws whatever `work` throws; Error if the transaction could not be opened or committed
 */
export async function inWorkerTransaction<T>(
  pool: Pool,
  work: (client: WorkerClient, query: Query, commit: () => void) => Promise<T>,
  { settings = '', isStartHarmless = false }: { settings?: string; isStartHarmless?: boolean } = {},
): Promise<T> {
  const client = await pool.connect()
  try {
    let failure: unknown
    let committing: Promise<QueryResult> | undefined
    const begun = client.query(`BEGIN; ${settings}`).catch((error: unknown) => {
      failure = error
      throw error
    })
    if (!isStartHarmless) await begun
    const query: Query = async <Row>(text: string, values: readonly unknown[] = [], name?: string) => {
      if (failure !== undefined) throw failure // outside the transaction it would be committed
      if (committing !== undefined) throw new Error('a statement was sent after the commit of its transaction')
      const sent = client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) })
      const [, { rows }] = await Promise.all([begun, sent])
      // The caller names the shape of the rows its statement gives.
      return rows as Row[]
    }
    const commit = (): Promise<QueryResult> => {
      committing ??= client.query('COMMIT')
      committing.catch(() => {}) // awaited after the work, unless a statement of it has failed
      return committing
    }
    const [result] = await Promise.all([work(client, query, commit), begun])
    const { command } = await commit()
    // After a failed statement that `work` ignored, PostgreSQL rolls back and reports it only by the command tag.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back because a statement in it had failed')
    return result
  } catch (error) {
    // On a broken connection there is nothing to roll back, and the first error is the one to report.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    // `I` is idle: not inside a transaction. Any other connection must not be reused.
    client.release(client.getTransactionStatus() !== 'I')
  }
}

/** Returns the function that sends single statements with the worker role. @param pool `Database.worker` */
export const workerQuery =
  (pool: Pick<Pool, 'query'>): Query =>
  async <Row>(text: string, values: readonly unknown[] = [], name?: string) =>
    // the caller declares the row type of its statement
    (await pool.query({ text, values: [...values], ...(name === undefined ? {} : { name }) })).rows as Row[]
