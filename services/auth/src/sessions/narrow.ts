import { type Grant, grantScopes, invalidField, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { resolveUserToken } from '../resolve/resolution.ts'
import type { LiveSession } from '../store/sessions.ts'
import { sessionStandings } from '../store/standing.ts'
import type { Narrowing } from './session-answer.ts'

interface Asked {
  workspace_id?: string | undefined
  scope?: string | undefined
}

/**
 * What an access token shall be cut down to: a workspace the user is a member of, scopes their roles have. What the
 * token may do is decided again whenever it is used.
 * @throws Problem `invalid_request` for a workspace that is not theirs; `invalid_scope`
 */
export async function narrow(
  { database }: Pick<Context, 'database'>,
  session: LiveSession,
  { workspace_id: workspaceId, scope }: Asked,
): Promise<Narrowing> {
  if (workspaceId === undefined && scope === undefined) return {}
  const grants = await grantsOf(database.worker, session)
  const places = workspaceId === undefined ? grants : grants.filter((grant) => grant.workspace_id === workspaceId)
  const [place] = places
  if (workspaceId !== undefined && place === undefined)
    throw invalidField('/workspace_id', 'must be a workspace you are a member of', 'invalid_request')
  const home =
    workspaceId === undefined || place === undefined
      ? undefined
      : { workspaceId, shard: place.shard, location: place.location }
  if (scope === undefined) return { home }
  const scopes = grantScopes(
    scope,
    places.flatMap((grant) => grant.scopes),
  )
  if (scopes === null) throw problem('invalid_scope', { detail: 'scope must name known scopes, one of which you have' })
  return { home, scopes }
}

async function grantsOf(worker: Context['database']['worker'], { sessionId, userId }: LiveSession): Promise<Grant[]> {
  const shown = { type: 'token', principal_type: 'user', principal_id: userId, session_id: sessionId } as const
  const standing = (await sessionStandings(worker, [sessionId])).get(sessionId)
  const resolution = resolveUserToken(shown, standing)
  return resolution.status === 'active' ? resolution.identity.grants : []
}
