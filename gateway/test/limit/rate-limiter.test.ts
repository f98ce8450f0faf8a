import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { hashOf, windowStart } from '../../src/limit/clock.ts'
import { createMembershipTracker } from '../../src/limit/membership.ts'
import { createRateLimiter, type Policy } from '../../src/limit/rate-limiter.ts'
import { limitTo, wellWithin } from './quota.ts'

describe('a window', () => {
  const policy = (name: string, quota: number, key = 'a'): Policy => ({ name, key, quota })
  const windowsAt = (now: () => number, entries?: number) =>
    createRateLimiter(createMembershipTracker('self', now), now, undefined, entries)
  /** When a window of the key `a` begins. */
  const beginning = windowStart(hashOf('a'), 30_000_000)

  it('admits its quota and no more, and opens anew after a minute', () => {
    let now = beginning
    const windows = windowsAt(() => now)
    const admitted = () =>
      Array.from({ length: 10 }, () => windows.take([policy('credential', 7)])).filter(
        ([count]) => count?.isExceeded === false,
      ).length
    expect(admitted()).toBe(7)
    now = beginning + 59_999
    expect(admitted()).toBe(0)
    now = beginning + 60_000
    expect(admitted()).toBe(7)
  })

  it('counts a request against all policies or none', () => {
    const windows = windowsAt(() => beginning)
    const both = [policy('credential', 10, 'b'), policy('workspace', 2)]
    for (let count = 0; count < 5; count += 1) windows.take(both)
    expect(windows.take(both)).toMatchObject([
      { name: 'credential', remaining: 8, isExceeded: false },
      { name: 'workspace', remaining: 0, isExceeded: true },
    ])
  })

  it('says when it ends, in whole seconds, never none', () => {
    let now = beginning
    const windows = windowsAt(() => now)
    const ask = () => windows.take([policy('credential', 1)])[0]
    expect(ask()).toMatchObject({ isExceeded: false, resetSeconds: 60 })
    now = beginning + 59_500
    expect(ask()).toMatchObject({ isExceeded: true, resetSeconds: 1, retrySeconds: 1 })
    now = beginning + 59_999
    expect(ask()).toMatchObject({ isExceeded: true, resetSeconds: 1, retrySeconds: 1 })
  })

  it('is one for each key', () => {
    const windows = windowsAt(() => beginning)
    expect(windows.take([policy('credential', 1, 'a')])[0]?.isExceeded).toBe(false)
    expect(windows.take([policy('credential', 1, 'b')])[0]?.isExceeded).toBe(false)
  })

  it('admits nothing of nothing, and follows a quota that is changed', () => {
    const windows = windowsAt(() => beginning)
    const ask = (quota: number) => windows.take([policy('credential', quota)])[0]
    expect(ask(0)).toMatchObject({ isExceeded: true, remaining: 0 })
    expect(ask(2)).toMatchObject({ isExceeded: false, remaining: 1 })
    expect(ask(1)).toMatchObject({ isExceeded: true, remaining: 0 })
    expect(ask(3)).toMatchObject({ isExceeded: false, remaining: 1 })
  })

  it('is forgotten when there are too many, the least recently used first', () => {
    const windows = windowsAt(() => beginning, 2)
    const isAdmitted = (key: string) => windows.take([policy('credential', 1, key)])[0]?.isExceeded === false
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(isAdmitted)).toEqual([true, true, false, true, false, true])
  })

  it('does not follow what is said of windows that are over or far ahead', () => {
    const windows = windowsAt(() => beginning)
    const ask = () => windows.take([policy('credential', 2)])[0]
    ask()
    const said = {
      key: 'a',
      quota: 2,
      parts: 2,
      membershipHash: 1,
      allotted: 2,
      spent: 2,
      total: 2,
      rate: 0,
      transfers: [],
    }
    for (const window of [29_999_999, 30_000_002, 31_000_000]) windows.applyUpdates('other', [{ ...said, window }])
    expect(ask()).toMatchObject({ isExceeded: false, remaining: 0, resetSeconds: 60 })
    windows.applyUpdates('other', [{ ...said, window: 30_000_001 }])
    expect(ask()).toMatchObject({ isExceeded: true, resetSeconds: 60 })
  })

  it('asks nobody to look while the edge is alone', () => {
    let woken = 0
    const windows = createRateLimiter(
      createMembershipTracker('self', () => beginning),
      () => beginning,
      () => {
        woken += 1
      },
    )
    for (let count = 0; count < 5; count += 1) windows.take([policy('credential', 3)])
    expect([woken, windows.hasTouched]).toEqual([0, false])
  })
})

describe('the edge', () => {
  let fleet: TestFleet
  beforeAll(async () => {
    fleet = await startTestFleet({ services: ['auth', 'system'] })
  })
  afterAll(() => fleet.stop())

  it('refuses what is over the credential’s quota, and says when to come back', async () => {
    await limitTo(fleet, 'credential_per_minute', 5)
    const ask = () => fleet.request('GET', '/v1/auth/me', { as: fleet.stranger.apiKey })
    const statuses = [await wellWithin(ask)]
    for (let count = 1; count < 7; count += 1) statuses.push(await ask())
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    const refused = statuses.at(-1)
    expect(refused?.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('credential') })
    const seconds = Number(refused?.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused?.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+/)
    expect(refused?.headers.get('ratelimit-policy')).toContain('"credential";q=5;w=60')
  })

  it('stops an address that guesses, and never a good credential from it', async () => {
    const guess = () => fleet.request('GET', '/v1/auth/me', { as: fleet.owner.apiKey.replace(/[^.]+$/, randomUUID()) })
    const codes = [(await wellWithin(guess)).body.code]
    for (let count = 1; count < 103; count += 1) codes.push((await guess()).body.code)
    expect(codes.filter((code) => code === 'invalid_credential')).toHaveLength(100)
    expect(codes.slice(-3)).toEqual(['rate_limited', 'rate_limited', 'rate_limited'])
    const refused = await guess()
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=100;w=60')
    const [, seconds] = /^"address";r=0;t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '') ?? []
    expect(refused.headers.get('retry-after')).toBe(seconds)
    const basic = await fleet.request('GET', '/v1/auth/me', { headers: { authorization: 'Basic eDp5' } })
    expect(basic.body.code).toBe('rate_limited')
    expect((await fleet.request('GET', '/v1/auth/me', { as: fleet.owner.apiKey })).status).toBe(200)
    expect((await fleet.request('GET', '/v1/auth/me')).body.code).toBe('missing_credential')
  })
})
