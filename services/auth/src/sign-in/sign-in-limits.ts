import type { Query } from '@wp/database'
import { networkPrefix } from '@wp/service'
import { incrementCounters, type RateLimit, throwIfExceeded } from '../rate-limits/counters.ts'
import { hashSecret } from '../secrets/secret.ts'

const hour = 3_600
const day = 86_400

/** Wrong codes that use up the codes of one mail. */
export const maxWrongCodesPerLogin = 5

/** Who is counted where the edge did not say where a request came from. */
const unknownIp = 'unknown'

/** Mails to an address, asked for from one place, from anywhere, and to anybody from one place. */
export function signInMailLimits(email: string, ip: string | undefined): RateLimit[] {
  const [to, from] = [hashSecret(email), networkPrefix(ip ?? unknownIp)]
  return [
    { key: `sign-in-mail:${to}:${from}`, quota: 5, windowSeconds: hour },
    { key: `sign-in-mail:${to}`, quota: 20, windowSeconds: hour },
    { key: `sign-in-mail-from:${from}`, quota: 30, windowSeconds: hour },
  ]
}

/** Wrong codes of an account. Once they are used up its mails hold links alone. */
export const wrongCodeLimit = (email: string): RateLimit => ({
  key: `wrong-code:${hashSecret(email)}`,
  quota: 10,
  windowSeconds: day,
})

/** What did not sign in, from one place. Many people may be behind it, and all of them may mistype. */
export const failedSignInLimit = (ip: string | undefined): RateLimit => ({
  key: `sign-in-failed:${networkPrefix(ip ?? unknownIp)}`,
  quota: 100,
  windowSeconds: 600,
})

/**
 * Counts, or refuses.
 * @throws Problem `rate_limited` with `Retry-After`, which says nothing of whom it was about
 */
export async function incrementOrThrow(query: Query, limits: readonly RateLimit[]): Promise<void> {
  throwIfExceeded(await incrementCounters(query, limits), 'Too many sign-ins were asked for')
}
