import { type auth, grantScopes, type InputOf, invalidField, isScope, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { matchesAny } from '../secrets/secret.ts'
import { clientStanding } from '../store/standing.ts'
import { issueAccessToken } from '../tokens/access-token.ts'
import { audienceFor } from '../tokens/audience.ts'
import { type ClientCredentials, invalidClient, readClient } from '../tokens/client-credentials.ts'
import { tokenLifetimeSeconds } from '../tokens/rotation.ts'

type Token = typeof auth.exchangeToken

/** Form A: the credentials of a service principal for an access token (RFC 6749 section 4.4). */
export const exchangeToken: Operation<Token, Context> = async (context, _caller, { body, headers }) => {
  checkGrantType(body, headers['content-type'])
  const credentials = readClient({ ...body, authorization: headers.authorization })
  const audience = audienceFor(context.base, body.resource)
  const client = await authenticate(context, credentials, body.workspace_id)
  const granted = grantScopes(body.scope, client.scopes.filter(isScope))
  if (granted === null)
    throw problem('invalid_scope', { detail: 'scope must name known scopes, one of which the client has' })
  const { workspace_id: workspaceId, shard, location } = client
  const home = { workspaceId, shard, location }
  const accessToken = await issueAccessToken(
    context,
    { type: 'service_principal', id: client.client_id, home, scopes: granted },
    { audience },
  )
  context.lastUsed.note(client.client_id)
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: tokenLifetimeSeconds,
    scope: granted.join(' '),
  }
}

/** JSON may leave the grant type out, as the public contract shows it; form-encoded it is OAuth and may not. */
function checkGrantType(body: InputOf<Token>['body'], contentType: string | undefined): void {
  const isForm = contentType?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true
  if (body.grant_type === undefined && isForm) throw invalidField('/grant_type', 'is required', 'invalid_request')
  const grantType = body.grant_type ?? (body.refresh_token === undefined ? 'client_credentials' : 'refresh_token')
  if (grantType !== 'client_credentials')
    throw problem('unsupported_grant_type', { detail: 'grant_type must be client_credentials' })
}

const clientIdPattern = /^sp_[0-9a-z]{26}$/

/**
 * The three values recorded at creation are the credential: client, secret and, where it is given, workspace. Whatever
 * is wrong with them gets one answer, after the same work.
 */
async function authenticate(
  { database }: Context,
  { clientId, clientSecret }: ClientCredentials,
  workspaceId: string | undefined,
) {
  const client = await clientStanding(database.worker, clientIdPattern.test(clientId) ? clientId : '')
  const matches = matchesAny(clientSecret, client?.hashes ?? [])
  if (!matches || client === undefined) throw invalidClient()
  if (client.deleted || client.status !== 'active' || client.workspace_deleted) throw invalidClient()
  if (workspaceId !== undefined && workspaceId !== client.workspace_id) throw invalidClient()
  return client
}
