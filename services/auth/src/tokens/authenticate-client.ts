import type { RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { type CounterStatus, incrementCounters, type RateLimit, readCounters } from '../rate-limits/counters.ts'
import { clientFailureLimit, rateLimitHeaders, throwIfTokenLimitExceeded } from '../rate-limits/token-limits.ts'
import { matchesAnyHash } from '../secrets/secret.ts'
import { type ClientRecord, findClient } from '../store/credentials/credential-lookup.ts'
import { workerQuery } from '../store/worker-query.ts'
import { type ClientCredentials, invalidClient } from './client-credentials.ts'

/** A client that has shown who it is, and how its failures from this address stand. */
export interface AuthenticatedClient {
  client: ClientRecord
  failures: { limit: RateLimit; counted: CounterStatus }
}

const clientIdPattern = /^sp_[0-9a-z]{26}$/

/**
 * The three values recorded at creation are the credential: client, secret and, where it is given, workspace. Whatever
 * is wrong with them gets one answer, after the same work. Where the failures of this client and address are used up,
 * nothing is looked at, a right secret no more than a wrong one: who guesses must not learn which it was.
 * @throws Problem `invalid_client`; `rate_limited`
 */
export async function authenticateClient(
  { database: { worker } }: Pick<Context, 'database'>,
  { request }: RequestCaller,
  { clientId, clientSecret }: ClientCredentials,
  workspaceId?: string,
): Promise<AuthenticatedClient> {
  const query = workerQuery(worker)
  const limit = clientFailureLimit(clientId, request?.ip)
  const before = await requireFirst(readCounters(query, [limit]))
  throwIfTokenLimitExceeded({ failures: { limit, counted: before } })
  const client = await findClient(worker, clientIdPattern.test(clientId) ? clientId : '')
  const matches = matchesAnyHash(clientSecret, client?.hashes ?? [])
  if (client !== undefined && matches && isClientAllowed(client, workspaceId))
    return { client, failures: { limit, counted: before } }
  const counted = await requireFirst(incrementCounters(query, [limit]))
  throwIfTokenLimitExceeded({ failures: { limit, counted } })
  throw invalidClient(rateLimitHeaders({ failures: { limit, counted } }))
}

const isClientAllowed = (client: ClientRecord, workspaceId: string | undefined): boolean =>
  !client.deleted &&
  client.status === 'active' &&
  !client.workspace_deleted &&
  (workspaceId === undefined || workspaceId === client.workspace_id)

async function requireFirst(counting: Promise<CounterStatus[]>): Promise<CounterStatus> {
  const [counted] = await counting
  if (counted === undefined) throw new Error('every limit that was asked for is counted')
  return counted
}
