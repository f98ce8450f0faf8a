import { describe, expect, it } from '@jest/globals'
import { needsRenewal, sessionCookieSeconds, sessionExpiry } from '../../src/session/lifetime.ts'

const limits = { SESSION_IDLE_DAYS: 30, SESSION_MAX_DAYS: 90 }
const day = 86_400_000
const createdAt = new Date(0)
const never = new Date(1_000 * day)

describe('the end of a session', () => {
  it.each([
    ['30 days after its last use', 10, never, 40],
    ['90 days after the sign-in, however much it is used', 80, never, 90],
    ['with its refresh token', 10, new Date(12 * day), 12],
  ])('is %s', (_, usedOn, refreshExpiresAt, endsOn) => {
    const expiry = sessionExpiry(limits, { createdAt, refreshExpiresAt, now: usedOn * day })
    expect(expiry).toEqual(new Date(endsOn * day))
  })

  it('is the latest time at which its cookie is kept', () => {
    expect(sessionCookieSeconds(limits, { createdAt, now: 0 })).toBe(90 * 86_400)
    expect(sessionCookieSeconds(limits, { createdAt, now: 91 * day })).toBe(0)
  })
})

describe('an access token', () => {
  it.each([
    [60_001, false],
    [60_000, false],
    [59_999, true],
    [-1, true],
  ])('that expires in %i ms needs renewal: %s', (remainingMs, expected) => {
    expect(needsRenewal(new Date(1_000_000 + remainingMs), 1_000_000)).toBe(expected)
  })
})
