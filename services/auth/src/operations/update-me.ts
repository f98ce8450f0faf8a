import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findAuthenticatedSession } from '../store/sessions/sessions.ts'
import { listMemberships, updateUser } from '../store/users.ts'
import { userProfile } from '../views.ts'

/** Updates the profile of the signed-in user. */
export const updateMe: Operation<typeof auth.updateMe, Context> = async ({ database }, caller, { body }) => {
  const workspaces = await listMemberships(database.extraPools.users, caller.principal.id)
  const { avatar_url: avatarUrl, ...named } = body
  return await database.transact(caller, async (tx) => {
    const user = await updateUser(tx, caller.principal.id, { ...named, avatarUrl })
    const session = { sessionId: caller.credentialId, userId: caller.principal.id }
    return userProfile(caller, user, workspaces, await findAuthenticatedSession(tx.query, session))
  })
}
