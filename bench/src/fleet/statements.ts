import type { Postgres } from '@wp/testkit'
import { withClient } from './bulk/with-client.ts'

/** Settings of the server: it keeps the time of each commit and, on request, counts the time of each statement. */
export async function configureServer(postgres: Postgres, withStatements: boolean): Promise<void> {
  await withClient(postgres.url, async (client) => {
    await client.query('ALTER SYSTEM SET track_commit_timestamp = on')
    if (withStatements) await client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`)
  })
  await postgres.restart()
  if (withStatements)
    await withClient(postgres.url, (client) => client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements'))
}

/** Forgets the statements so far. */
export const resetStatements = (url: string): Promise<unknown> =>
  withClient(url, (client) => client.query('SELECT pg_stat_statements_reset()'))

/** Returns the statements of all databases that took most time, in milliseconds of execution and planning. */
export async function readStatements(url: string, count: number): Promise<Record<string, string | number>[]> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT substring(datname from 'test_[^_]+_(.*)_[0-9a-f]+$') AS database, calls::int AS calls,
         total_exec_time AS "total ms", total_exec_time / calls AS "ms a call",
         regexp_replace(left(query, 160), '\\s+', ' ', 'g') AS statement
       FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
       ORDER BY total_exec_time DESC LIMIT $1`,
      [count],
    )
    return rows.map((row) => ({ ...row, database: row.database ?? '' }))
  })
}
