import type { Query } from '@wp/database'

/**
 * Reads what is somebody's own, whichever workspaces it lies in: the policies `own` let a transaction see it that says
 * for whom it acts, for as long as it says so. @param userId empty for nobody
 */
export async function withUserContext<T>(query: Query, userId: string, read: () => Promise<T>): Promise<T> {
  const setUserId = (id: string) => query(`SELECT set_config('app.user_id', $1, true)`, [id])
  await setUserId(userId)
  const result = await read()
  await setUserId('')
  return result
}
