import type { Query } from '@wp/database'
import { networkPrefix } from '@wp/service'
import { hashSecret } from '../secrets/secret.ts'
import {
  decrementCounters,
  incrementCounters,
  type NamedLimits,
  type RateLimit,
  rateLimitHeaders,
  throwIfExceeded,
} from '../store/counters.ts'

const hour = 3_600
const day = 86_400

/** Number of wrong codes after which the code of a mail is no longer accepted. */
export const maxWrongCodesPerLogin = 5

/** Stands for the address of requests without a known client address. */
const unknownIp = 'unknown'

/** The limits of one request, of which some are shown to the client. */
interface SignInLimits {
  /** By the names used in the response headers. */
  shown: Readonly<Record<string, RateLimit>>
  /** Counts the requests of other clients too, which a client must not learn. */
  hidden?: readonly RateLimit[]
}

/** Limits sign-in mails per address and client network, per address, and per client network. */
export function signInMailLimits(email: string, ip: string | undefined): SignInLimits {
  const [to, from] = [hashSecret(email), networkPrefix(ip ?? unknownIp)]
  return {
    shown: {
      'sign-in-mails': { key: `sign-in-mail:${to}:${from}`, quota: 5, windowSeconds: hour },
      'network-sign-in-mails': { key: `sign-in-mail-from:${from}`, quota: 30, windowSeconds: hour },
    },
    hidden: [{ key: `sign-in-mail:${to}`, quota: 20, windowSeconds: hour }],
  }
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

export const failedSignInLimits = (ip: string | undefined): SignInLimits => ({
  shown: { 'failed-sign-ins': failedSignInLimit(ip) },
})

/**
 * Increments the counters or throws.
 * @returns the limits that are shown to the client
 * @throws Problem `rate_limited` with `Retry-After`; the detail does not reveal which address was limited
 */
export async function incrementOrThrow(query: Query, { shown, hidden = [] }: SignInLimits): Promise<NamedLimits> {
  const named = Object.entries(shown)
  const statuses = await incrementCounters(query, [...named.map(([, limit]) => limit), ...hidden])
  const limits: NamedLimits = Object.fromEntries(
    named.flatMap(([name, limit], index) => {
      const status = statuses[index]
      return status === undefined ? [] : [[name, { limit, status }]]
    }),
  )
  throwIfExceeded(statuses, 'Too many sign-in requests', rateLimitHeaders(limits))
  return limits
}

/** Reverts the increments, as an attempt that succeeds does not count. @returns the limits after that */
export async function revertIncrements(query: Query, limits: NamedLimits): Promise<NamedLimits> {
  const named = Object.entries(limits)
  await decrementCounters(
    query,
    named.map(([, { limit }]) => limit),
  )
  return Object.fromEntries(
    named.map(([name, { limit, status }]) => [name, { limit, status: { ...status, remaining: status.remaining + 1 } }]),
  )
}
