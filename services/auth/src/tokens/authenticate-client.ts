import type { RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { type Counted, count, type Limit, standing } from '../limits/counters.ts'
import { failureLimit, limitFields, refuseExceeded } from '../limits/token-limits.ts'
import { matchesAny } from '../secrets/secret.ts'
import { type ClientStanding, clientStanding } from '../store/standing.ts'
import { workerQuery } from '../store/worker-query.ts'
import { type ClientCredentials, invalidClient } from './client-credentials.ts'

/** A client that has shown who it is, and how its failures from this address stand. */
export interface AuthenticatedClient {
  client: ClientStanding
  failures: { limit: Limit; counted: Counted }
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
  const limit = failureLimit(clientId, request?.ip)
  const before = await one(standing(query, [limit]))
  refuseExceeded({ failures: { limit, counted: before } })
  const client = await clientStanding(worker, clientIdPattern.test(clientId) ? clientId : '')
  const matches = matchesAny(clientSecret, client?.hashes ?? [])
  if (client !== undefined && matches && mayCome(client, workspaceId))
    return { client, failures: { limit, counted: before } }
  const counted = await one(count(query, [limit]))
  refuseExceeded({ failures: { limit, counted } })
  throw invalidClient(limitFields({ failures: { limit, counted } }))
}

const mayCome = (client: ClientStanding, workspaceId: string | undefined): boolean =>
  !client.deleted &&
  client.status === 'active' &&
  !client.workspace_deleted &&
  (workspaceId === undefined || workspaceId === client.workspace_id)

async function one(counting: Promise<Counted[]>): Promise<Counted> {
  const [counted] = await counting
  if (counted === undefined) throw new Error('every limit that was asked for is counted')
  return counted
}
