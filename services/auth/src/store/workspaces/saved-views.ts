import type { Query, Row } from '@wp/database'
import type { SavedViews } from '#db'
import type { Tx } from '../client.ts'

/** The list of which a member has saved views. */
type SavedViewsKey = Row<SavedViews, 'userId' | 'page'>

/** The views of a list, as the contract declares them. @template View the shape of a view */
interface ViewsRow<View> {
  views: View[]
}

/** Returns the views that a member has saved of a list. */
export async function findSavedViews<View>(
  query: Query,
  workspaceId: string,
  { userId, page }: SavedViewsKey,
): Promise<View[]> {
  const [row] = await query<ViewsRow<View>>(
    'SELECT views FROM saved_views WHERE workspace_id = $1 AND user_id = $2 AND page = $3',
    [workspaceId, userId, page],
  )
  return row?.views ?? []
}

/**
 * Replaces the views that a member has saved of a list. The lock of the membership orders the changes of one member.
 * @param maxPages number of lists of which a member can have views
 * @returns false if the member has views of that many other lists, or is no member any more
 */
export async function storeSavedViews(
  { query, workspaceId }: Tx,
  { userId, page, views }: SavedViewsKey & { views: readonly unknown[] },
  maxPages: number,
): Promise<boolean> {
  const key = [workspaceId, userId, page]
  if (views.length === 0) {
    await query('DELETE FROM saved_views WHERE workspace_id = $1 AND user_id = $2 AND page = $3', key)
    return true
  }
  await query('SELECT FROM memberships WHERE workspace_id = $1 AND user_id = $2 FOR NO KEY UPDATE', [
    workspaceId,
    userId,
  ])
  const rows = await query(
    `INSERT INTO saved_views (workspace_id, user_id, page, views) SELECT $1, $2, $3, $4
     WHERE (SELECT count(*) FROM saved_views WHERE workspace_id = $1 AND user_id = $2 AND page <> $3) < $5
     ON CONFLICT (workspace_id, user_id, page) DO UPDATE SET views = excluded.views, updated_at = clock_timestamp()
     RETURNING 1`,
    [...key, JSON.stringify(views), maxPages],
  )
  return rows.length > 0
}
