import { type Grant, grantScopes, invalidField, problem, type Scope } from '@wp/contracts'
import type { Context } from '../context.ts'
import { resolveUserToken } from '../resolution.ts'
import { findSessionsById } from '../store/credentials/credential-lookup.ts'
import type { ClientGrant, LiveSession } from '../store/sessions/sessions.ts'
import type { TokenRestriction } from './session-tokens.ts'

interface DownscopeRequest {
  workspace_id?: string | undefined
  scope?: string | undefined
}

/**
 * Determines the restriction of an access token: a workspace the user is a member of, and scopes the user's roles have.
 * The permissions are checked again at each use of the token.
 * @throws Problem `invalid_request` for a workspace without membership; `invalid_scope`
 */
export async function downscope(
  { database }: Pick<Context, 'database'>,
  session: LiveSession,
  { workspace_id: workspaceId, scope }: DownscopeRequest,
): Promise<TokenRestriction> {
  const { grant } = session
  if (grant !== null) {
    const grants = await loadGrants(database.extraPools.tokens, session)
    return restrictToClientGrant(grant, grants, { workspace_id: workspaceId, scope })
  }
  if (workspaceId === undefined && scope === undefined) return {}
  const grants = await loadGrants(database.extraPools.tokens, session)
  const selectedGrants =
    workspaceId === undefined ? grants : grants.filter((grant) => grant.workspace_id === workspaceId)
  const [workspaceGrant] = selectedGrants
  if (workspaceId !== undefined && workspaceGrant === undefined)
    throw invalidField('/workspace_id', 'must be a workspace you are a member of', 'invalid_request')
  const placement =
    workspaceId === undefined || workspaceGrant === undefined
      ? undefined
      : { workspaceId, shard: workspaceGrant.shard, location: workspaceGrant.location }
  if (scope === undefined) return { placement }
  const scopes = grantScopes(
    scope,
    selectedGrants.flatMap((grant) => grant.scopes),
  )
  if (scopes === null)
    throw problem('invalid_scope', { detail: 'scope must contain only known scopes, at least one of which you have' })
  return { placement, scopes }
}

/**
 * Returns the restriction of a token of a client: the workspace that the user chose, and those granted scopes that the
 * user still has. `scope` can only leave out more.
 * @throws Problem `invalid_request`, `invalid_scope`; `invalid_grant` if the user has lost the access that was granted
 */
function restrictToClientGrant(
  { workspaceId, scopes }: ClientGrant,
  grants: readonly Grant[],
  request: DownscopeRequest,
): TokenRestriction {
  if (request.workspace_id !== undefined && request.workspace_id !== workspaceId)
    throw invalidField('/workspace_id', 'must be the workspace that the user chose', 'invalid_request')
  const current = grants.find((grant) => grant.workspace_id === workspaceId)
  const granted = current?.scopes.filter((scope) => scopes.includes(scope)) ?? []
  if (current === undefined || granted.length === 0)
    throw problem('invalid_grant', { detail: 'The user no longer has the access that was granted' })
  const narrowed: readonly Scope[] | null = grantScopes(request.scope, granted)
  if (narrowed === null)
    throw problem('invalid_scope', {
      detail: 'scope must contain only known scopes, at least one of which was granted',
    })
  return { placement: { workspaceId, shard: current.shard, location: current.location }, scopes: narrowed }
}

/**
 * Loads the workspaces that the user of a session is a member of, with the scopes there; none if the session has ended.
 */
export async function loadGrants(
  pool: Context['database']['worker'],
  { sessionId, userId }: Pick<LiveSession, 'sessionId' | 'userId'>,
): Promise<Grant[]> {
  const presented = { type: 'token', principal_type: 'user', principal_id: userId, session_id: sessionId } as const
  const record = (await findSessionsById(pool, [sessionId])).get(sessionId)
  const resolution = resolveUserToken(presented, record)
  return resolution.status === 'active' ? resolution.identity.grants : []
}
