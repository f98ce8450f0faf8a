import type { Query } from '@wp/database'
import { networkPrefix } from '@wp/service'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { incrementCounters, type RateLimit, readCounters, throwIfExceeded } from '../store/counters.ts'
import { workerQuery } from '../store/cross-workspace.ts'

const hour = { windowSeconds: 3600 }

/** Network of the client; requests without a known address share the network `unknown`. */
const clientNetwork = (ip: string | undefined): string => networkPrefix(ip ?? 'unknown')

interface CountedInvitation {
  workspaceId: string
  email: string
  /** Address of the inviting client. */
  ip: string | undefined
}

/**
 * Counts an invitation mail against the limits per recipient, workspace and client network. They protect a recipient
 * from floods by one or many workspaces, and keep a client from sending mass mail through workspaces created for that
 * purpose. The counters are separate from those of sign-in mails, so that invitations cannot block a sign-in.
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

/** Rejects a client network that has sent too many wrong tokens. @throws Problem `rate_limited` */
export async function checkWrongTokenLimit({ database }: Pick<Context, 'database'>, ip: string | undefined) {
  const failures = await readCounters(workerQuery(database.extraPools.tokens), [wrongTokenLimit(ip)])
  throwIfExceeded(failures, 'Too many invalid invitation tokens')
}

export async function countWrongToken({ database }: Pick<Context, 'database'>, ip: string | undefined): Promise<void> {
  await incrementCounters(workerQuery(database.extraPools.tokens), [wrongTokenLimit(ip)])
}
