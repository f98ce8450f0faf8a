import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, type Nats, type TestFleet } from '@wp/testkit'
import { describeRecovery } from './broker/describe-recovery.ts'
import { describeUsers } from './broker/describe-users.ts'
import { startBroker, startFleetOn, violationsOf } from './broker/start-broker.ts'

let nats: Nats
beforeAll(async () => {
  nats = await startBroker()
})
afterAll(() => nats?.stop())

describe('a fleet on a broker with users', () => {
  let fleet: TestFleet
  let owner: string
  beforeAll(async () => {
    fleet = await startFleetOn(nats)
    owner = await fleet.token(fleet.owner)
  })
  afterAll(() => fleet?.stop())

  const create = async (path: string, body: unknown) => {
    const response = await fleet.request('POST', path, { as: owner, body })
    expect([path, response.status, response.body]).toEqual([
      path,
      expect.any(Number),
      expect.objectContaining({ success: true }),
    ])
    return response.body.data
  }

  it('records every service in the audit log and delivers events to subscriptions', async () => {
    const { webhook_id: polled } = await create('/v1/webhooks/webhooks', { delivery: 'poll', events: ['*'] })
    await create('/v1/data/sources', { name: 'doors', provider: 'upload' })
    await create('/v1/integrations/integrations', {
      provider: 'http',
      name: 'somewhere',
      config: { base_url: 'http://127.0.0.1:1024/' },
      secrets: { token: 'shhh' },
    })
    await create('/v1/system/workspace/variables', { name: 'DOORS', value: 'x' })
    await create('/v1/solutions/workplace/forecast/runs', forecast)
    await create('/v1/auth/api-key', { name: 'another' })
    const denied = await fleet.request('POST', '/v1/data/sources', { as: await readOnly(), body: {} })
    expect(denied.status).toBe(403)

    const wanted = [
      'webhook.created',
      'data_source.created',
      'integration.created',
      'workspace_variable.set',
      'forecast_run.started',
      'api_key.created',
      'request.denied',
    ]
    await eventually(
      async () => {
        const { body } = await fleet.request('GET', '/v1/audit/logs?limit=100', { as: owner })
        const found: string[] = body.data.map(({ action }: { action: string }) => action)
        return wanted.every((action) => found.includes(action))
      },
      { description: 'records of every service and of the edge' },
    )

    await eventually(
      async () => {
        const { body } = await fleet.request('GET', `/v1/webhooks/webhooks/${polled}/deliveries`, {
          as: owner,
        })
        return JSON.stringify(body).includes('API_KEY_CREATED')
      },
      { description: 'an event at its subscription' },
    )
  })

  it('sends invalidations to its gateways, which exchange rate limits', async () => {
    const edge = await fleet.addEdge()
    const { api_key: key, key_id: id } = await create('/v1/auth/api-key', { name: 'short-lived' })
    const through = (each: typeof edge | undefined) =>
      fleet.request('GET', '/v1/data/sources', { as: key, ...(each === undefined ? {} : { edge: each }) })
    for (const each of [undefined, edge]) expect((await through(each)).status).toBe(200)
    await fleet.request('DELETE', `/v1/auth/api-key/${id}`, { as: owner })
    // Cached for ten seconds; the invalidation arrives at once.
    await eventually(async () => (await through(edge)).status === 401)
    const metrics = async () => (await fetch(`${edge.adminUrl}/metrics`)).text()
    await eventually(async () => /^edge_peers\S* 1$/m.test(await metrics()), {
      description: 'the other edge as a peer',
    })
  })

  it('causes no permission violation', () => {
    expect(violationsOf(nats)).toEqual([])
  })

  describeRecovery(() => ({ nats, fleet }))

  async function readOnly(): Promise<string> {
    const { client_id, client_secret } = await create('/v1/auth/admin/service-principals', {
      name: 'reader',
      scopes: ['data:read'],
    })
    return fleet.token({ ...fleet.owner, clientId: client_id, clientSecret: client_secret })
  }
})

const forecast = {
  series: [
    {
      key: {},
      points: Array.from({ length: 21 * 24 }, (_, hour) => ({
        ts: new Date(Date.UTC(2026, 0, 5, hour)).toISOString(),
        value: 10 + (hour % 24),
      })),
    },
  ],
  frequency: 'hour',
  timezone: 'UTC',
  horizon: 24,
}

describeUsers(() => nats)
