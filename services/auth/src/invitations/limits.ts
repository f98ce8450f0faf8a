import { problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Context } from '../context.ts'
import { type Counted, count, type Limit, standing } from '../limits/counters.ts'

const hour = { windowSeconds: 3600 }

/**
 * Counts a mail of invitation, so that nobody is flooded by one workspace, or by many. Apart from the mails of sign-in:
 * inviting somebody must not keep them from signing in.
 * @throws Problem `rate_limited`
 */
export async function countInvitationMail(query: Query, workspaceId: string, email: string): Promise<void> {
  const limits = [
    { key: `invite:${workspaceId}:${email}`, quota: 5, ...hour },
    { key: `invite:mail:${email}`, quota: 20, ...hour },
    { key: `invite:workspace:${workspaceId}`, quota: 500, ...hour },
  ]
  refuse(await count(query, limits), 'Too many invitations were sent')
}

const failuresOf = (address: string): Limit => ({ key: `invitation:${address}`, quota: 30, ...hour })

/** @throws Problem `rate_limited` when an address has shown too many tokens that open nothing */
export async function checkGuesses({ database }: Pick<Context, 'database'>, address: string): Promise<void> {
  refuse(await standing(over(database), [failuresOf(address)]), 'Too many invitations were tried in vain')
}

/** Counts a token that opens nothing. */
export async function countGuess({ database }: Pick<Context, 'database'>, address: string): Promise<void> {
  await count(over(database), [failuresOf(address)])
}

const over =
  ({ worker }: Context['database']): Query =>
  async <Row>(text: string, values: readonly unknown[] = []) =>
    (await worker.query(text, [...values])).rows as Row[] // named by who writes the statement, as in `Query`

function refuse(counted: readonly Counted[], detail: string): void {
  const over = counted.filter(({ exceeded }) => exceeded)
  if (over.length === 0) return
  const seconds = Math.max(...over.map(({ resetSeconds }) => resetSeconds))
  throw problem('rate_limited', { detail, headers: { 'retry-after': String(seconds) } })
}
