const dayMs = 86_400_000

/** The limits of a session's lifetime. */
export interface SessionLimits {
  SESSION_IDLE_DAYS: number
  SESSION_MAX_DAYS: number
}

/** Time a browser has to complete a sign-in: longer than a mail and the code of its redirect are valid. */
export const pendingSignInSeconds = 900

/** Browsers keep a cookie for 400 days at most (RFC 6265bis section 5.5). */
export const deviceCookieSeconds = 400 * 86_400

/** An access token is renewed this long before it expires, so that it does not expire on its way. */
const renewBeforeMs = 60_000

/** Returns true if an access token should be renewed before it is used. */
export const needsRenewal = (accessExpiresAt: Date, now: number): boolean =>
  accessExpiresAt.getTime() - now < renewBeforeMs

/**
 * Returns when a session ends that is used now: the first of idle limit, absolute limit and end of the refresh token.
 */
export function sessionExpiry(
  { SESSION_IDLE_DAYS, SESSION_MAX_DAYS }: SessionLimits,
  { createdAt, refreshExpiresAt, now }: { createdAt: Date; refreshExpiresAt: Date; now: number },
): Date {
  const idleEnd = now + SESSION_IDLE_DAYS * dayMs
  const absoluteEnd = createdAt.getTime() + SESSION_MAX_DAYS * dayMs
  return new Date(Math.min(idleEnd, absoluteEnd, refreshExpiresAt.getTime()))
}

/** Returns the lifetime of the session's cookie. The server ends an idle session before, the browser need not know. */
export const sessionCookieSeconds = (
  { SESSION_MAX_DAYS }: SessionLimits,
  { createdAt, now }: { createdAt: Date; now: number },
): number => Math.max(0, Math.floor((createdAt.getTime() + SESSION_MAX_DAYS * dayMs - now) / 1_000))
