import { type auth, grantScopes, type InputOf, isScope, problem, type RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { count } from '../limits/counters.ts'
import { limitFields, refuseExceeded, successLimit } from '../limits/token-limits.ts'
import { workerQuery } from '../store/worker-query.ts'
import { issueAccessToken } from './access-token.ts'
import { audienceFor } from './audience.ts'
import { authenticateClient } from './authenticate-client.ts'
import { readClient } from './client-credentials.ts'
import { tokenLifetimeSeconds } from './rotation.ts'

/** Form A: the credentials of a service principal for an access token (RFC 6749 section 4.4). */
export async function clientCredentialsGrant(
  context: Context,
  caller: RequestCaller,
  { body, headers }: InputOf<typeof auth.exchangeToken>,
) {
  const credentials = readClient({ ...body, authorization: headers.authorization })
  const audience = audienceFor(context.base, body.resource)
  const { client, failures } = await authenticateClient(context, caller, credentials, body.workspace_id)
  const granted = grantScopes(body.scope, client.scopes.filter(isScope))
  if (granted === null)
    throw problem('invalid_scope', { detail: 'scope must name known scopes, one of which the client has' })
  const limit = successLimit(client.client_id)
  const [counted] = await count(workerQuery(context.database.worker), [limit])
  const limits = { ...(counted === undefined ? {} : { client: { limit, counted } }), failures }
  refuseExceeded(limits)
  const { workspace_id: workspaceId, shard, location } = client
  const subject = {
    type: 'service_principal' as const,
    id: client.client_id,
    home: { workspaceId, shard, location },
    scopes: granted,
  }
  const accessToken = await issueAccessToken(context, subject, { audience })
  context.lastUsed.note(client.client_id)
  const answer = {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: tokenLifetimeSeconds,
    scope: granted.join(' '),
  }
  return { answer, fields: limitFields(limits) }
}
