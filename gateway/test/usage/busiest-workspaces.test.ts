import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLogger, createMetrics } from '@wp/service'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { config as schema } from '../../src/config.ts'
import { type Context, createContext } from '../../src/context.ts'
import { createEdge } from '../../src/edge.ts'
import { createBusiestWorkspaces } from '../../src/usage/busiest-workspaces.ts'
import { setQuota } from '../limit/quota-fixture.ts'

describe('the requests of the busiest workspaces', () => {
  const metrics = createMetrics('gateway', { process: false })
  const workspaces = createBusiestWorkspaces(metrics)
  afterAll(() => workspaces.close())
  const record = (
    workspaceId: string | null,
    times: number,
    outcome: 'answered' | 'limited' | 'failed' = 'answered',
  ) => {
    for (let time = 0; time < times; time += 1) workspaces.record(workspaceId, outcome)
  }
  /** The values above 0, such as `ws_1 answered 3`. */
  const report = async () => {
    workspaces.report()
    const found = await metrics.registry.getSingleMetric('edge_workspace_requests')?.get()
    return (found?.values ?? [])
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => `${labels.workspace} ${labels.outcome} ${value}`)
  }

  it('are none before the first request', async () => {
    expect(await report()).toEqual([])
  })

  it('are counted by outcome', async () => {
    record('ws_a', 3)
    record('ws_a', 2, 'limited')
    record('ws_b', 1, 'failed')
    record(null, 9)
    expect(await report()).toEqual(['ws_a answered 3', 'ws_a limited 2', 'ws_b failed 1'])
  })

  it('are those of the last window', async () => {
    record('ws_c', 1)
    expect(await report()).toEqual(['ws_c answered 1'])
    expect(await report()).toEqual([])
  })

  it('are reported for 20 workspaces, whatever the number of others', async () => {
    for (let index = 0; index < 30_000; index += 1) record(`ws_${index}`, index % 1_000 === 7 ? 5 : 1)
    const reported = await report()
    expect(reported).toHaveLength(20)
    expect(reported).toEqual(Array.from({ length: 20 }, (_, index) => `ws_${index * 1_000 + 7} answered 5`))
  })
})

describe('the edge', () => {
  let fleet: TestFleet
  let context: Context
  let server: Server
  const recorded: string[] = []
  beforeAll(async () => {
    fleet = await startTestFleet({ services: ['auth'] })
    context = await createContext(schema.parse(fleet.env('gateway')), createLogger('gateway', 'silent'), false)
    const edge = createEdge({
      ...context,
      busiestWorkspaces: {
        ...context.busiestWorkspaces,
        record: (workspaceId, outcome) => void recorded.push(`${workspaceId} ${outcome}`),
      },
    })
    server = createServer((request, response) =>
      edge(request, response, { requestId: 'req-of-a-test', awaitsContinue: false }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server.close()
    await context.close()
    await fleet.stop()
  })

  it('counts each request of a workspace by its outcome', async () => {
    await setQuota(fleet, 'credential_per_minute', 2)
    const { apiKey, workspaceId } = fleet.stranger
    const { port } = server.address() as AddressInfo // of a listening server
    const get = async (path: string, key = apiKey) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': key } })).status
    expect(await get('/v1/auth/me', 'no key')).toBe(401)
    // The third request of a window is over the limit; a window may begin in between.
    const statuses: number[] = []
    while (!statuses.includes(429)) statuses.push(await get('/v1/auth/me'))
    const { apiKey: other, workspaceId: otherId } = fleet.owner
    expect(await get('/v1/data/sources', other)).toBe(503)
    const expected = [
      ...statuses.map((status) => `${workspaceId} ${status === 429 ? 'limited' : 'answered'}`),
      `${otherId} failed`,
    ]
    await eventually(() => recorded.length === expected.length)
    expect(recorded).toEqual(expected)
  })
})
