import type { Query } from '@wp/database'

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
