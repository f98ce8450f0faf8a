import type { Query } from '@wp/database'
import { networkOf } from '@wp/service'
import type { Context } from '../context.ts'
import { count, type Limit, refuseUsedUp, standing } from '../limits/counters.ts'
import { hashSecret } from '../secrets/secret.ts'
import { workerQuery } from '../store/worker-query.ts'

const hour = { windowSeconds: 3600 }

/** Who is counted where the edge did not say where a request came from. */
const from = (address: string | undefined): string => networkOf(address ?? 'unknown')

/** An invitation as it is counted. */
interface Inviting {
  workspaceId: string
  email: string
  /** Where it was asked for. */
  address: string | undefined
}

/**
 * Counts a mail of invitation, so that nobody is flooded by one workspace, or by many; and that nobody sends what they
 * like to the world by making workspaces. Apart from the mails of sign-in: inviting somebody must not keep them from
 * signing in.
 * @throws Problem `rate_limited`
 */
export async function countInvitationMail(query: Query, { workspaceId, email, address }: Inviting): Promise<void> {
  const to = hashSecret(email)
  const limits = [
    { key: `invite:${workspaceId}:${to}`, quota: 5, ...hour },
    { key: `invite:mail:${to}`, quota: 20, ...hour },
    { key: `invite:workspace:${workspaceId}`, quota: 500, ...hour },
    { key: `invite:from:${from(address)}`, quota: 500, ...hour },
  ]
  refuseUsedUp(await count(query, limits), 'Too many invitations were sent')
}

const failuresFrom = (address: string | undefined): Limit => ({
  key: `invitation:${from(address)}`,
  quota: 30,
  ...hour,
})

/** @throws Problem `rate_limited` when too many tokens that open nothing have come from one place */
export async function checkGuesses({ database }: Pick<Context, 'database'>, address: string | undefined) {
  const failures = await standing(workerQuery(database.worker), [failuresFrom(address)])
  refuseUsedUp(failures, 'Too many invitations were tried in vain')
}

/** Counts a token that opens nothing. */
export async function countGuess({ database }: Pick<Context, 'database'>, address: string | undefined): Promise<void> {
  await count(workerQuery(database.worker), [failuresFrom(address)])
}
