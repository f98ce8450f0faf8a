import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { forecastBody } from './world.ts'

let fleet: TestFleet
let token: string
beforeAll(async () => {
  fleet = await startTestFleet()
  token = await fleet.token(fleet.owner)
}, 60_000)
afterAll(() => fleet.stop())

it.each([
  ['/v1/data/sources', { name: 'one', provider: 'upload' }],
  ['/v1/webhooks/webhooks', { endpoint: 'https://127.0.0.1:8443/', events: ['*'] }],
  ['/v1/solutions/workplace/forecast/runs', forecastBody()],
])('finds by pairs of metadata at %s', async (path, body) => {
  for (const metadata of [{ team: 'north', stage: 'a' }, { team: 'north', stage: 'b' }, { team: 'south' }])
    expect((await fleet.request('POST', path, { as: token, body: { ...body, metadata } })).status).toBeLessThan(300)
  const stages = async (query: string) => {
    const answer = await fleet.request('GET', `${path}?${query}`, { as: token })
    return answer.body.data.map(({ metadata }: { metadata: Record<string, string> }) => metadata.stage ?? metadata.team)
  }
  expect(await stages('metadata[team]=north')).toEqual(['b', 'a'])
  expect(await stages('metadata[team]=north&metadata[stage]=a')).toEqual(['a'])
  expect(await stages('metadata[team]=east')).toEqual([])
  expect(await stages('metadata[team]=north&limit=1')).toEqual(['b'])
})
