import type { Query } from '@wp/database'
import { networkPrefix } from '@wp/service'
import { incrementCounters, type RateLimit, throwIfExceeded } from '../rate-limits/counters.ts'
import { hashSecret } from '../secrets/secret.ts'

const hour = 3_600
const day = 86_400

/** Number of wrong codes after which the code of a mail is no longer accepted. */
export const maxWrongCodesPerLogin = 5

/** Stands for the address of requests without a known client address. */
const unknownIp = 'unknown'

/** Limits sign-in mails per address and client network, per address, and per client network. */
export function signInMailLimits(email: string, ip: string | undefined): RateLimit[] {
  const [to, from] = [hashSecret(email), networkPrefix(ip ?? unknownIp)]
  return [
    { key: `sign-in-mail:${to}:${from}`, quota: 5, windowSeconds: hour },
    { key: `sign-in-mail:${to}`, quota: 20, windowSeconds: hour },
    { key: `sign-in-mail-from:${from}`, quota: 30, windowSeconds: hour },
  ]
}

/** Limits the wrong codes of an account per day. Once exceeded, its mails contain only links. */
export const wrongCodeLimit = (email: string): RateLimit => ({
  key: `wrong-code:${hashSecret(email)}`,
  quota: 10,
  windowSeconds: day,
})

/** Limits failed sign-ins per client network. The quota is high because many users can share a network. */
export const failedSignInLimit = (ip: string | undefined): RateLimit => ({
  key: `sign-in-failed:${networkPrefix(ip ?? unknownIp)}`,
  quota: 100,
  windowSeconds: 600,
})

/**
 * Increments the counters or throws.
 * @throws Problem `rate_limited` with `Retry-After`; the detail does not reveal which address was limited
 */
export async function incrementOrThrow(query: Query, limits: readonly RateLimit[]): Promise<void> {
  throwIfExceeded(await incrementCounters(query, limits), 'Too many sign-in requests')
}
