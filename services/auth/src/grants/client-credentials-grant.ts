import { type auth, grantScopes, type InputOf, isScope, problem, type RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { incrementCounters, rateLimitHeaders } from '../store/counters.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { audienceForResources, issueAccessToken } from '../tokens/access-token.ts'
import { tokenLifetimeSeconds } from '../tokens/signing-keys.ts'
import { authenticateClient } from './authenticate-client.ts'
import { readClientCredentials } from './client-credentials.ts'
import { issuedTokenLimit, throwIfTokenLimitExceeded } from './token-limits.ts'

/** Client credentials grant: issues an access token to a service principal (RFC 6749 section 4.4). */
export async function clientCredentialsGrant(
  context: Context,
  caller: RequestCaller,
  { body, headers }: InputOf<typeof auth.exchangeToken>,
) {
  const credentials = readClientCredentials({ ...body, authorization: headers.authorization })
  const audience = audienceForResources(context.publicBaseUrl, body.resource)
  const { client, failures } = await authenticateClient(context, caller, credentials, body.workspace_id)
  const granted = grantScopes(body.scope, client.scopes.filter(isScope))
  if (granted === null)
    throw problem('invalid_scope', {
      detail: 'scope must contain only known scopes, at least one of which the client has',
    })
  const limit = issuedTokenLimit(client.clientId)
  const [status] = await incrementCounters(workerQuery(context.database.extraPools.tokens), [limit])
  const limits = { ...(status === undefined ? {} : { client: { limit, status } }), failures }
  throwIfTokenLimitExceeded(limits)
  const { workspaceId, shard, location } = client
  const subject = {
    type: 'service_principal' as const,
    id: client.clientId,
    placement: { workspaceId, shard, location },
    scopes: granted,
  }
  const accessToken = await issueAccessToken(context, subject, { audience })
  context.lastUsed.record(client.clientId)
  const result = {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: tokenLifetimeSeconds,
    scope: granted.join(' '),
  }
  return { result, headers: rateLimitHeaders(limits) }
}
