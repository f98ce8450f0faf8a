import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Edge, eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { limitTo, wellWithin } from './quota.ts'

let fleet: TestFleet
let second: Edge
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth', 'system'], env: { gateway: { LIMIT_EXCHANGE_MS: '10' } } })
  second = await fleet.addEdge()
})
afterAll(() => fleet.stop())

it('are several, each for every credential', async () => {
  const token = await fleet.token(fleet.owner)
  for (const through of [fleet, second])
    expect((await fleet.request('GET', '/v1/auth/me', { as: token, edge: through })).status).toBe(200)
  expect(second.baseUrl).not.toBe(fleet.baseUrl)
})

it('admit together a credential’s quota, and all of it', async () => {
  const quota = 30
  await limitTo(fleet, 'credential_per_minute', quota)
  const ask = (through: Pick<Edge, 'baseUrl'>) =>
    fleet.request('GET', '/v1/auth/me', { as: fleet.stranger.apiKey, edge: through })
  let admitted = 1
  await wellWithin(() => ask(fleet))
  for (let count = 0; count < 100; count += 1) {
    const answer = await ask(count % 10 === 0 ? second : fleet)
    if (answer.status === 200) admitted += 1
    else expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
  }
  expect(admitted).toBe(quota)
  const refused = await ask(second)
  expect(refused.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+, "workspace";r=29\d\d;t=\d+$/)
  expect(refused.headers.get('ratelimit-policy')).toBe('"credential";q=30;w=60, "workspace";q=3000;w=60')
})

it('stop together an address that guesses', async () => {
  const guess = (through: Pick<Edge, 'baseUrl'>) =>
    fleet.request('GET', '/v1/auth/me', { as: fleet.owner.apiKey.replace(/[^.]+$/, randomUUID()), edge: through })
  await wellWithin(() => guess(fleet))
  let tried = 1
  for (let count = 0; count < 180; count += 1)
    if ((await guess(count % 3 === 0 ? second : fleet)).body.code === 'invalid_credential') tried += 1
  expect(tried).toBe(100)
})

it('know of each other, and of one that leaves', async () => {
  const peers = async ({ adminUrl }: Pick<Edge, 'adminUrl'>) =>
    /^edge_peers\{[^}]*\} (\d+)$/m.exec(await (await fetch(`${adminUrl}/metrics`)).text())?.[1]
  const third = await fleet.addEdge()
  await eventually(async () => (await peers(fleet)) === '2' && (await peers(third)) === '2')
  await third.member.stop()
  await eventually(async () => (await peers(fleet)) === '1')
})
