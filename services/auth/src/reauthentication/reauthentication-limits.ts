import type { Query } from '@wp/database'
import { networkPrefix } from '@wp/service'
import { incrementCounters, type RateLimit, readCounters, throwIfExceeded } from '../rate-limits/counters.ts'
import { hashSecret } from '../secrets/secret.ts'

const hour = 3_600
const day = 86_400

/**
 * Counts a mail against the limits of a user: those of sign-in mails per address. The counters are separate, because
 * strangers can use up those of sign-in mails.
 * @throws Problem `rate_limited`
 */
export async function countReauthenticationMail(query: Query, email: string, ip: string | undefined): Promise<void> {
  const [to, from] = [hashSecret(email), networkPrefix(ip ?? 'unknown')]
  const limits = [
    { key: `reauthentication-mail:${to}:${from}`, quota: 5, windowSeconds: hour },
    { key: `reauthentication-mail:${to}`, quota: 20, windowSeconds: hour },
  ]
  throwIfExceeded(await incrementCounters(query, limits), 'Too many codes were requested')
}

/** Limits the wrong codes of an account per day, as those of sign-ins are limited. */
export const wrongReauthenticationCodeLimit = (email: string): RateLimit => ({
  key: `wrong-reauthentication-code:${hashSecret(email)}`,
  quota: 10,
  windowSeconds: day,
})

/** Rejects an account whose wrong codes of the day are used up: no mail would help. @throws Problem `rate_limited` */
export async function rejectAfterWrongCodes(query: Query, email: string): Promise<void> {
  throwIfExceeded(await readCounters(query, [wrongReauthenticationCodeLimit(email)]), 'Too many wrong codes')
}
