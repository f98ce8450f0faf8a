import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { unknownClientBuckets } from '../../src/grants/token-limits.ts'
import { decrementCounters, incrementCounters, type RateLimit, readCounters } from '../../src/store/counters.ts'
import { startTestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const query = (text: string, values?: readonly unknown[]) => auth.rows(text, [...(values ?? [])]) as never // rows of the caller's shape
let serial = 0
const limit = (quota: number, windowSeconds = 60): RateLimit => {
  serial += 1
  return { key: `test:${serial}`, quota, windowSeconds }
}
const storedCount = async ({ key }: RateLimit) =>
  (await auth.rows<{ count: number }>('SELECT count FROM counters WHERE key = $1', [key]))[0]?.count

describe('a rate limit counter', () => {
  it('admits exactly the quota and reports the remaining uses', async () => {
    const three = limit(3)
    const seen = []
    for (let turn = 0; turn < 5; turn++) seen.push((await incrementCounters(query, [three]))[0])
    expect(seen.map((one) => [one?.isExceeded, one?.remaining])).toEqual([
      [false, 2],
      [false, 1],
      [false, 0],
      [true, 0],
      [true, 0],
    ])
    const [row] = await auth.rows<{ seconds: number }>(
      'SELECT ceil(extract(epoch FROM ends_at - clock_timestamp()))::int AS seconds FROM counters WHERE key = $1',
      [three.key],
    )
    expect(seen[0]?.resetSeconds).toBe(60)
    expect(seen[4]?.resetSeconds).toBeLessThanOrEqual(60)
    expect(seen[4]?.resetSeconds).toBeGreaterThanOrEqual(row?.seconds ?? Number.POSITIVE_INFINITY)
  })

  it('resets when its window has ended', async () => {
    const one = limit(1)
    await incrementCounters(query, [one])
    expect((await incrementCounters(query, [one]))[0]?.isExceeded).toBe(true)
    await auth.rows("UPDATE counters SET ends_at = now() - interval '1 second' WHERE key = $1", [one.key])
    expect((await readCounters(query, [one]))[0]).toMatchObject({ isExceeded: false, remaining: 1 })
    expect((await incrementCounters(query, [one]))[0]?.isExceeded).toBe(false)
  })

  it('admits exactly the quota when 200 increments are concurrent', async () => {
    const some = limit(7)
    const counted = await Promise.all(Array.from({ length: 200 }, () => incrementCounters(query, [some])))
    expect(counted.filter(([one]) => one?.isExceeded === false)).toHaveLength(7)
  })

  it('counts a use against no limit when one of several rejects it, in any order', async () => {
    const [narrow, wide] = [limit(5), limit(100)]
    for (const order of [
      [narrow, wide],
      [wide, narrow],
    ])
      await Promise.all(Array.from({ length: 40 }, () => incrementCounters(query, order)))
    expect(await storedCount(wide)).toBe(5)
    expect(
      (await incrementCounters(query, [wide, narrow])).map(({ isExceeded, remaining }) => [isExceeded, remaining]),
    ).toEqual([
      [false, 95],
      [true, 0],
    ])
    expect(await storedCount(wide)).toBe(5)
  })

  it('can be decremented, also after rejected uses', async () => {
    const two = limit(2)
    for (let turn = 0; turn < 5; turn++) await incrementCounters(query, [two])
    await decrementCounters(query, [two])
    expect((await readCounters(query, [two]))[0]).toMatchObject({ isExceeded: false, remaining: 1 })
    expect((await incrementCounters(query, [two]))[0]).toMatchObject({ isExceeded: false, remaining: 0 })
  })
})

describe('rate limits of the token endpoint', () => {
  let client: { client_id: string; client_secret: string }
  beforeEach(async () => {
    const body = { name: 'limited', scopes: ['data:read'] }
    const created = await auth.request('POST', '/v1/auth/admin/service-principals', { body })
    const { client_id, client_secret } = created.body.data
    client = { client_id, client_secret }
    // Tests with unknown clients share these.
    await auth.rows(`DELETE FROM counters WHERE key LIKE 'token-failures:unknown:%'`)
  })
  const requestToken = (more: Record<string, unknown> = {}, from = '203.0.113.9') =>
    auth.token({ ...client, ...more }, { 'x-forwarded-for': from })
  const wrong = { client_secret: 'wrong' }

  it('are reported in the response headers', async () => {
    const good = await requestToken()
    expect(good.headers.get('ratelimit-policy')).toBe('"client";q=60;w=60, "failures";q=20;w=60')
    expect(good.headers.get('ratelimit')).toMatch(/^"client";r=59;t=([1-5]?\d|60), "failures";r=20;t=60$/)
    const bad = await requestToken(wrong)
    expect([bad.status, bad.headers.get('ratelimit-policy')]).toEqual([401, '"failures";q=20;w=60'])
    expect(bad.headers.get('ratelimit')).toMatch(/^"failures";r=19;t=([1-5]?\d|60)$/)
  })

  it('allow a client 60 tokens per minute, independently of other clients', async () => {
    const responses = await Promise.all(Array.from({ length: 70 }, () => requestToken()))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(60)
    const rejected = responses.find(({ status }) => status === 429)
    expect(rejected?.body).toMatchObject({ code: 'rate_limited', error: 'invalid_request' })
    const wait = Number(rejected?.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(rejected?.headers.get('ratelimit')).toMatch(/^"client";r=0;t=\d+, /)
    expect((await requestToken({ ...auth.seeded })).status).toBe(200)
    await auth.rows(`UPDATE counters SET ends_at = now() WHERE key = $1`, [`token:${client.client_id}`])
    expect((await requestToken()).status).toBe(200)
  })

  it('compare 20 of 500 concurrent wrong secrets, then reject the right one too', async () => {
    const responses = await Promise.all(Array.from({ length: 500 }, () => requestToken(wrong)))
    const statuses = Object.groupBy(responses, ({ status }) => String(status))
    expect([statuses['401']?.length, statuses['429']?.length]).toEqual([20, 480])
    expect(await requestToken()).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    // The limit affects neither the client on another network nor another client on this one.
    expect((await requestToken({}, '198.51.100.7')).status).toBe(200)
    expect((await requestToken({ ...auth.seeded })).status).toBe(200)
  })

  it('treat an IPv6 network as one address', async () => {
    for (let turn = 0; turn < 20; turn++) await requestToken(wrong, `2001:db8:1:2::${turn + 1}`)
    expect((await requestToken({}, '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await requestToken({}, '2001:db8:1:3::1')).status).toBe(200)
  })

  it('apply to unknown clients too', async () => {
    const unknownClient = { client_id: 'sp_01h455vb4pex5vsknk084sn02q' }
    const statuses = []
    for (let turn = 0; turn < 21; turn++) statuses.push((await requestToken(unknownClient)).status)
    expect(statuses).toEqual([...Array(20).fill(401), 429])
  })

  it('store no more rows than a bound for unknown clients, however many are invented', async () => {
    const rows = async () => (await auth.rows('SELECT FROM counters')).length
    const before = await rows()
    const invented = Array.from({ length: 2 * unknownClientBuckets }, (_, index) => index)
    const statuses = await Promise.all(
      invented.map(async (index) => {
        const clientId = `sp_${String(index).padStart(26, '0')}`
        return (await requestToken({ client_id: clientId }, `198.51.100.${index % 256}`)).status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect((await rows()) - before).toBeLessThanOrEqual(unknownClientBuckets)
  })

  it('store no secret and no client text in the counters', async () => {
    await requestToken({ client_id: 'a recognizable id', client_secret: 'a recognizable secret' })
    const stored = JSON.stringify(await auth.rows('SELECT key FROM counters'))
    expect(stored).not.toContain('recognizable')
  })

  it('allow 60 refreshes per session and keep the token when a refresh is rejected', async () => {
    const { refreshToken, session } = await auth.signIn(auth.seeded.owner_user_id)
    const refresh = (refresh_token: string) => auth.token({ refresh_token }, { 'x-forwarded-for': '203.0.113.20' })
    await auth.rows(`INSERT INTO counters VALUES ($1, now() + interval '1 minute', 60)`, [`token:${session.sessionId}`])
    expect(await refresh(refreshToken)).toMatchObject({ status: 429 })
    const [row] = await auth.rows('SELECT used_at FROM refresh_tokens WHERE session_id = $1', [session.sessionId])
    expect(row).toEqual({ usedAt: null })
    await auth.rows('DELETE FROM counters WHERE key = $1', [`token:${session.sessionId}`])
    const guesses = []
    for (let turn = 0; turn < 21; turn++) guesses.push((await refresh(`wprt_${'A'.repeat(43)}`)).status)
    expect(guesses).toEqual([...Array(20).fill(400), 429])
    const good = await refresh(refreshToken)
    expect([good.status, good.headers.get('ratelimit-policy')]).toEqual([200, '"client";q=60;w=60'])
  })
})
