import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listMemberships, updateUser } from '../store/users/users.ts'
import { userProfile } from '../views.ts'

/** Updates the profile of the signed-in user. */
export const updateMe: Operation<typeof auth.updateMe, Context> = async ({ database }, caller, { body }) => {
  const workspaces = await listMemberships(database.extraPools.users, caller.principal.id)
  const { avatar_url: avatarUrl, ...named } = body
  return await database.transact(caller, async (tx) =>
    userProfile(caller, await updateUser(tx, caller.principal.id, { ...named, avatarUrl }), workspaces),
  )
}
