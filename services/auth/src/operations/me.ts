import { Problem, problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { requireApiKey } from '../store/credentials/api-keys.ts'
import { requireServicePrincipal } from '../store/credentials/service-principals.ts'
import { findAuthenticatedSession } from '../store/sessions/sessions.ts'
import { listMemberships, requireUser, updateUserRow } from '../store/users.ts'
import { apiKeyProfile, servicePrincipalProfile, userProfile } from '../views.ts'

/** Returns the profile of the caller: a user, a service principal or an API key. */
export const me: Operation<'me'> = async ({ database }, caller) => {
  const { principal, workspaceId } = caller
  if (principal.type === 'user') {
    const memberships = await listMemberships(database.extraPools.users, principal.id)
    const workspaces =
      caller.isWorkspaceRestricted === true
        ? memberships.filter((membership) => membership.workspaceId === workspaceId)
        : memberships
    return await database.read({ workspaceId }, async (db, query) => {
      const user = await requireUser(db, principal.id)
      const session = { sessionId: caller.credentialId, userId: principal.id }
      return userProfile(caller, user, workspaces, await findAuthenticatedSession(query, session))
    })
  }
  if (workspaceId === null) throw problem('workspace_required')
  return await database
    .read({ workspaceId }, async (db, query) =>
      principal.type === 'api_key'
        ? apiKeyProfile(caller, await requireApiKey(query, workspaceId, principal.id))
        : servicePrincipalProfile(caller, await requireServicePrincipal(db, workspaceId, principal.id)),
    )
    .catch(notFoundAsRevoked)
}

/** Reports a missing caller as revoked: it was deleted after the edge had identified it. */
function notFoundAsRevoked(error: unknown): never {
  throw error instanceof Problem && error.code === 'not_found' ? problem('revoked_credential') : error
}

export const updateMe: Operation<'updateMe'> = async ({ database }, caller, { body }) => {
  const workspaces = await listMemberships(database.extraPools.users, caller.principal.id)
  const { avatar_url: avatarUrl, ...named } = body
  return await database.transact(caller, async (tx) => {
    const user = await updateUserRow(tx, caller.principal.id, { ...named, avatarUrl })
    const session = { sessionId: caller.credentialId, userId: caller.principal.id }
    return userProfile(caller, user, workspaces, await findAuthenticatedSession(tx.query, session))
  })
}
