import { type authInternal, isScope, type Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { scopesOfRole } from '../roles/scopes-of-role.ts'
import { listRecipients } from '../store/workspaces/memberships.ts'

/** Lists the members of a workspace for the notifications service. */
export const listNotificationRecipients: Operation<typeof authInternal.listNotificationRecipients, Context> = async (
  { database },
  caller,
  { query: { limit, cursor, user_id: userId } },
) => {
  const { workspaceId } = caller
  if (workspaceId === null) return { items: [], nextCursor: null }
  const rows = await database.read(caller, (_db, sql) =>
    listRecipients(sql, workspaceId, { limit, after: cursor, userId }),
  )
  const items = rows.slice(0, limit).map((row) => ({
    user_id: row.userId,
    email: row.email,
    name: row.name,
    locale: row.locale,
    timezone: row.timezone,
    scopes: scopesOfRole(row).filter(isScope),
  }))
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.user_id ?? null) : null }
}
