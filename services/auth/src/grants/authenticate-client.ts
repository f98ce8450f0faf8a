import type { RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { matchesAnyHash } from '../secrets/secret.ts'
import {
  type CounterStatus,
  incrementCounters,
  type RateLimit,
  rateLimitHeaders,
  readCounters,
} from '../store/counters.ts'
import { type ClientRecord, findClient } from '../store/credentials/credential-lookup.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { type ClientCredentials, invalidClient } from './client-credentials.ts'
import { clientFailureLimit, throwIfTokenLimitExceeded, unknownClientLimit } from './token-limits.ts'

/** An authenticated client, with the state of its failure limit for this network. */
export interface AuthenticatedClient {
  client: ClientRecord
  failures: { limit: RateLimit; status: CounterStatus }
}

const clientIdPattern = /^sp_[0-9a-z]{26}$/

/**
 * Authenticates a client by its id, its secret and, if given, its workspace. Every wrong value gets the same response
 * after the same work. Once the failure limit of the client and network is exceeded, no secret is compared at all, so
 * that an attacker learns nothing from further guesses.
 * @throws Problem `invalid_client`; `rate_limited`
 */
export async function authenticateClient(
  { database }: Pick<Context, 'database'>,
  { request }: RequestCaller,
  { clientId, clientSecret }: ClientCredentials,
  workspaceId?: string,
): Promise<AuthenticatedClient> {
  const { tokens } = database.extraPools
  const query = workerQuery(tokens)
  const client = await findClient(tokens, clientIdPattern.test(clientId) ? clientId : '')
  const limit =
    client === undefined ? unknownClientLimit(clientId, request?.ip) : clientFailureLimit(clientId, request?.ip)
  const failuresBefore = await requireFirst(readCounters(query, [limit]))
  throwIfTokenLimitExceeded({ failures: { limit, status: failuresBefore } })
  const matches = matchesAnyHash(clientSecret, client?.hashes ?? [])
  if (client !== undefined && matches && isClientAllowed(client, workspaceId))
    return { client, failures: { limit, status: failuresBefore } }
  const status = await requireFirst(incrementCounters(query, [limit]))
  throwIfTokenLimitExceeded({ failures: { limit, status } })
  throw invalidClient(rateLimitHeaders({ failures: { limit, status } }))
}

const isClientAllowed = (client: ClientRecord, workspaceId: string | undefined): boolean =>
  !client.deleted &&
  client.status === 'active' &&
  !client.workspaceDeleted &&
  (workspaceId === undefined || workspaceId === client.workspaceId)

async function requireFirst(counting: Promise<CounterStatus[]>): Promise<CounterStatus> {
  const [status] = await counting
  if (status === undefined) throw new Error('missing status of a requested limit')
  return status
}
