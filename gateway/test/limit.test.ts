import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { createWindows, type Policy } from '../src/limit/windows.ts'

describe('a window', () => {
  const policy = (name: string, quota: number, key = 'a'): Policy => ({ name, key, quota })

  it('admits its quota and no more, and opens anew after a minute', () => {
    let now = 0
    const windows = createWindows(() => now)
    const admitted = () =>
      Array.from({ length: 10 }, () => windows.take([policy('credential', 7)])).filter(
        ([count]) => count?.exceeded === false,
      ).length
    expect(admitted()).toBe(7)
    now = 59_999
    expect(admitted()).toBe(0)
    now = 60_000
    expect(admitted()).toBe(7)
  })

  it('counts a request against all policies or none', () => {
    const windows = createWindows(() => 0)
    const both = [policy('credential', 10), policy('workspace', 2)]
    for (let count = 0; count < 5; count += 1) windows.take(both)
    expect(windows.take(both)).toMatchObject([
      { name: 'credential', remaining: 8, exceeded: false },
      { name: 'workspace', remaining: 0, exceeded: true },
    ])
  })

  it('says when it ends, in whole seconds', () => {
    let now = 0
    const windows = createWindows(() => now)
    windows.take([policy('credential', 1)])
    now = 59_500
    expect(windows.take([policy('credential', 1)])[0]).toMatchObject({ exceeded: true, resetSeconds: 1 })
  })

  it('is one for each key', () => {
    const windows = createWindows(() => 0)
    expect(windows.take([policy('credential', 1, 'a')])[0]?.exceeded).toBe(false)
    expect(windows.take([policy('credential', 1, 'b')])[0]?.exceeded).toBe(false)
  })
})

describe('the edge', () => {
  let fleet: TestFleet
  beforeAll(async () => {
    fleet = await startTestFleet({ services: ['auth', 'system'] })
  })
  afterAll(() => fleet.stop())

  async function limitTo(column: string, quota: number) {
    const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
    await database.connect()
    await database.query(`UPDATE workspaces SET ${column} = $1 WHERE workspace_id = $2`, [
      quota,
      fleet.stranger.workspaceId,
    ])
    await database.end()
  }

  it('refuses what is over the credential’s quota, and says when to come back', async () => {
    await limitTo('credential_per_minute', 5)
    const statuses = []
    for (let count = 0; count < 7; count += 1)
      statuses.push(await fleet.request('GET', '/v1/auth/me', { as: fleet.stranger.apiKey }))
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
    const codes = []
    for (let count = 0; count < 103; count += 1) codes.push((await guess()).body.code)
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
