import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'
import { setQuota, waitForFreshWindow } from './quota-fixture.ts'

const fleet = await startTestFleet({ services: ['auth', 'system'] })
afterAll(() => fleet.stop())

describe('the edge', () => {
  it('rejects requests over the quota of a credential and says when to retry', async () => {
    await setQuota(fleet, 'credential_per_minute', 5)
    const request = () => fleet.request('GET', '/v1/auth/me', { as: fleet.stranger.apiKey })
    const responses = [await waitForFreshWindow(request)]
    for (let count = 1; count < 7; count += 1) responses.push(await request())
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    const rejected = responses.at(-1)
    expect(rejected?.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('credential') })
    const seconds = Number(rejected?.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(rejected?.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+/)
    expect(rejected?.headers.get('ratelimit-policy')).toContain('"credential";q=5;w=60')
  })

  it('limits invalid credentials per address, and still admits valid ones from it', async () => {
    const guess = () => fleet.request('GET', '/v1/auth/me', { as: fleet.owner.apiKey.replace(/[^.]+$/, randomUUID()) })
    const codes = [(await waitForFreshWindow(guess)).body.code]
    for (let count = 1; count < 103; count += 1) codes.push((await guess()).body.code)
    expect(codes.filter((code) => code === 'invalid_credential')).toHaveLength(100)
    expect(codes.slice(-3)).toEqual(['rate_limited', 'rate_limited', 'rate_limited'])
    const rejected = await guess()
    expect(rejected.headers.get('ratelimit-policy')).toBe('"address";q=100;w=60')
    const [, seconds] = /^"address";r=0;t=(\d+)$/.exec(rejected.headers.get('ratelimit') ?? '') ?? []
    expect(rejected.headers.get('retry-after')).toBe(seconds)
    const basic = await fleet.request('GET', '/v1/auth/me', { headers: { authorization: 'Basic eDp5' } })
    expect(basic.body.code).toBe('rate_limited')
    expect((await fleet.request('GET', '/v1/auth/me', { as: fleet.owner.apiKey })).status).toBe(200)
    expect((await fleet.request('GET', '/v1/auth/me')).body.code).toBe('missing_credential')
  })
})
