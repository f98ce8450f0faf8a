import { afterAll, describe, expect, it } from '@jest/globals'
import { type Meter, meterProducers } from '@wp/contracts'
import { connectBus, publishEvent } from '@wp/events'
import { eventually, startTestFleet, type TestWorkspace } from '@wp/testkit'
import { planOf } from '../../src/plans.ts'
import { usageEvent } from '../fixture/usage-harness.ts'

const fleet = await startTestFleet({ services: ['auth', 'system', 'billing', 'solutions'] })
const { NATS_URL: servers = '', SHARD: shard = '' } = fleet.env('billing')
const bus = await connectBus({ servers, shard, name: 'test', log: { warn() {}, error() {} } })
await eventually(() => bus.isConnected)
afterAll(async () => {
  await bus.close()
  await fleet.stop()
})

const includedOf = (meter: Meter): number => planOf('free').meters.find((terms) => terms.meter === meter)?.included ?? 0

const exhaust = ({ workspaceId }: TestWorkspace, meter: Meter): Promise<void> =>
  publishEvent(bus, meterProducers[meter], usageEvent(workspaceId, meter, { quantity: includedOf(meter) }))

const points = Array.from({ length: 70 }, (_, day) => ({
  ts: new Date(Date.UTC(2026, 0, 5 + day)).toISOString(),
  value: (day % 7) * 10,
}))
const body = { series: [{ key: { building: 'north' }, points }], frequency: 'day', timezone: 'UTC', horizon: 7 }

const forecast = ({ apiKey: as }: TestWorkspace) =>
  fleet.request('POST', '/v1/solutions/workplace/forecast/runs', { as, body })

const changePlan = ({ apiKey: as }: TestWorkspace) =>
  fleet.request('PATCH', '/v1/billing/subscription', { as, body: { plan_id: planOf('team').id } })

const read = ({ apiKey: as }: TestWorkspace, path: string) => fleet.request('GET', path, { as })

describe('an exhausted meter', () => {
  it('refuses forecast runs of the workspace until it has a higher plan', async () => {
    const workspace = await fleet.seed('forecasting')
    expect((await forecast(workspace)).status).toBe(202)
    await exhaust(workspace, 'forecast_runs')
    const refused = await eventually(async () => {
      const response = await forecast(workspace)
      return response.status === 403 && response
    })
    expect(refused.body).toMatchObject({ code: 'quota_exceeded', meter: 'forecast_runs' })
    expect((await forecast(fleet.stranger)).status).toBe(202)
    expect((await changePlan(workspace)).status).toBe(200)
    await eventually(async () => (await forecast(workspace)).status === 202)
  })

  it('refuses calls at the edge, except those that let the workspace change its plan', async () => {
    const workspace = await fleet.seed('calling')
    const path = '/v1/solutions/solutions'
    expect((await read(workspace, path)).status).toBe(200)
    await exhaust(workspace, 'api_calls')
    const refused = await eventually(async () => {
      const response = await read(workspace, path)
      return response.status === 403 && response
    })
    expect(refused.body).toMatchObject({ code: 'quota_exceeded', meter: 'api_calls' })
    expect((await read(workspace, '/v1/billing/usage')).status).toBe(200)
    expect((await read(workspace, '/v1/system/usage')).status).toBe(200)
    expect((await read(fleet.stranger, path)).status).toBe(200)
    expect((await changePlan(workspace)).status).toBe(200)
    await eventually(async () => (await read(workspace, path)).status === 200)
  })
})
