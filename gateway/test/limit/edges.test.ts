import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { type Edge, eventually, startTestFleet } from '@wp/testkit'
import { setQuota, waitForFreshWindow } from './quota-fixture.ts'

const fleet = await startTestFleet({ services: ['auth', 'system'], env: { gateway: { LIMIT_EXCHANGE_MS: '10' } } })
const second = await fleet.addEdge()
afterAll(() => fleet.stop())

describe('two edges', () => {
  it('accept the same credential at different addresses', async () => {
    const token = await fleet.token(fleet.owner)
    for (const edge of [fleet, second])
      expect((await fleet.request('GET', '/v1/auth/me', { as: token, edge })).status).toBe(200)
    expect(second.baseUrl).not.toBe(fleet.baseUrl)
  })

  it('admit exactly the quota of a credential together', async () => {
    const quota = 30
    await setQuota(fleet, 'credential_per_minute', quota)
    const request = (edge: Pick<Edge, 'baseUrl'>) =>
      fleet.request('GET', '/v1/auth/me', { as: fleet.stranger.apiKey, edge })
    let admitted = 1
    await waitForFreshWindow(() => request(fleet))
    for (let count = 0; count < 100; count += 1) {
      const response = await request(count % 10 === 0 ? second : fleet)
      if (response.status === 200) admitted += 1
      else expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true])
    }
    expect(admitted).toBe(quota)
    const rejected = await request(second)
    // The windows of the two policies end at different times: that of the workspace may have begun again.
    expect(rejected.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+, "workspace";r=(29\d\d|3000);t=\d+$/)
    expect(rejected.headers.get('ratelimit-policy')).toBe('"credential";q=30;w=60, "workspace";q=3000;w=60')
  })

  it('limit invalid credentials from one address together', async () => {
    const guess = (edge: Pick<Edge, 'baseUrl'>) =>
      fleet.request('GET', '/v1/auth/me', { as: fleet.owner.apiKey.replace(/[^.]+$/, randomUUID()), edge })
    await waitForFreshWindow(() => guess(fleet))
    let checked = 1
    for (let count = 0; count < 180; count += 1)
      if ((await guess(count % 3 === 0 ? second : fleet)).body.code === 'invalid_credential') checked += 1
    expect(checked).toBe(100)
  })

  it('report their peers, and notice one that leaves', async () => {
    const peers = async ({ adminUrl }: Pick<Edge, 'adminUrl'>) =>
      /^edge_peers\{[^}]*\} (\d+)$/m.exec(await (await fetch(`${adminUrl}/metrics`)).text())?.[1]
    const third = await fleet.addEdge()
    await eventually(async () => (await peers(fleet)) === '2' && (await peers(third)) === '2')
    await third.member.stop()
    await eventually(async () => (await peers(fleet)) === '1')
  })
})
