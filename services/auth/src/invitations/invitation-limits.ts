import type { Query } from '@wp/database'
import { networkPrefix } from '@wp/service'
import type { Context } from '../context.ts'
import { incrementCounters, type RateLimit, readCounters, throwIfExceeded } from '../rate-limits/counters.ts'
import { hashSecret } from '../secrets/secret.ts'
import { workerQuery } from '../store/worker-query.ts'

const hour = { windowSeconds: 3600 }

/** Who is counted where the edge did not say where a request came from. */
const clientNetwork = (clientIp: string | undefined): string => networkPrefix(clientIp ?? 'unknown')

/** An invitation as it is counted. */
interface CountedInvitation {
  workspaceId: string
  email: string
  /** Where it was asked for. */
  ip: string | undefined
}

/**
 * Counts a mail of invitation, so that nobody is flooded by one workspace, or by many; and that nobody sends what they
 * like to the world by making workspaces. Apart from the mails of sign-in: inviting somebody must not keep them from
 * signing in.
 * @throws Problem `rate_limited`
 */
export async function countInvitationMail(query: Query, { workspaceId, email, ip }: CountedInvitation): Promise<void> {
  const emailHash = hashSecret(email)
  const limits = [
    { key: `invite:${workspaceId}:${emailHash}`, quota: 5, ...hour },
    { key: `invite:mail:${emailHash}`, quota: 20, ...hour },
    { key: `invite:workspace:${workspaceId}`, quota: 500, ...hour },
    { key: `invite:from:${clientNetwork(ip)}`, quota: 500, ...hour },
  ]
  throwIfExceeded(await incrementCounters(query, limits), 'Too many invitations were sent')
}

const wrongTokenLimit = (ip: string | undefined): RateLimit => ({
  key: `invitation:${clientNetwork(ip)}`,
  quota: 30,
  ...hour,
})

/** @throws Problem `rate_limited` when too many tokens that open nothing have come from one place */
export async function checkWrongTokenLimit({ database }: Pick<Context, 'database'>, ip: string | undefined) {
  const failures = await readCounters(workerQuery(database.worker), [wrongTokenLimit(ip)])
  throwIfExceeded(failures, 'Too many invitations were tried in vain')
}

/** Counts a token that opens nothing. */
export async function countWrongToken({ database }: Pick<Context, 'database'>, ip: string | undefined): Promise<void> {
  await incrementCounters(workerQuery(database.worker), [wrongTokenLimit(ip)])
}
