import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Edge, startTestFleet, type TestFleet } from '@wp/testkit'

let fleet: TestFleet
let second: Edge
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth'] })
  second = await fleet.addEdge()
})
afterAll(() => fleet.stop())

it('are several, each for every credential', async () => {
  const token = await fleet.token(fleet.owner)
  for (const through of [fleet, second])
    expect((await fleet.request('GET', '/v1/auth/me', { as: token, through })).status).toBe(200)
  expect(second.baseUrl).not.toBe(fleet.baseUrl)
})
