import { type Database, type Query, rethrowAsUnavailable } from '@wp/database'

/**
 * Returns a query function for single statements with the worker role, which sees all workspaces. It throws Problem
 * `service_unavailable` if the database is unreachable or no connection of the pool becomes free in time.
 */
export const workerQuery =
  (pool: Database['worker']): Query =>
  async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await pool.query(text, [...values]).catch(rethrowAsUnavailable)
    return rows as Row[] // the caller declares the row type of its statement
  }

/** A statement that PostgreSQL parses once per connection. */
export interface PreparedStatement {
  name: string
  text: string
}

/** Runs a prepared statement with the worker role. @throws Problem `service_unavailable` as `workerQuery` */
export async function queryPrepared<Row extends object>(
  pool: Database['worker'],
  statement: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ ...statement, values }).catch(rethrowAsUnavailable)
  return rows
}

/**
 * Runs a query with the user context set, so that the row-level security policies `own` show the user's rows in all
 * workspaces. @param userId empty for no user
 */
export async function withUserContext<T>(query: Query, userId: string, read: () => Promise<T>): Promise<T> {
  const setUserId = (id: string) => query(`SELECT set_config('app.user_id', $1, true)`, [id])
  await setUserId(userId)
  const result = await read()
  await setUserId('')
  return result
}
