import type { authSessions, Operation } from '@wp/contracts'
import { paginate } from '@wp/database'
import type { Context } from '../context.ts'
import { cursorOfSession, listSessions as listSessionRows } from '../store/sessions/sessions.ts'
import { sessionView } from '../views.ts'

/** Lists the live sessions of the signed-in user, newest first. */
export const listSessions: Operation<typeof authSessions.listSessions, Context> = async (
  { database },
  { principal, workspaceId, credentialId },
  { query: { limit, cursor } },
) => {
  const rows = await database.read({ workspaceId }, (_db, query) =>
    listSessionRows(query, principal.id, { limit, cursor }),
  )
  const { items, nextCursor } = paginate(rows, limit, cursorOfSession)
  return { items: items.map((row) => sessionView(row, credentialId)), nextCursor }
}
