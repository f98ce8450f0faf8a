import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type MeterEntry, meterSources, meters, quotaCounters, quotas, type UsageEntry } from '@wp/contracts'
import { newId } from '@wp/database'
import { setTestQuota, startTestFleet, type TestFleet } from '@wp/testkit'
import { problemResponse } from '@wp/testkit/problem-response'
import { collectUsage } from '../src/collect-usage.ts'
import { type System, startSystem } from './fixture/system.ts'

const path = '/v1/system/usage'

const entryOf = (body: { data: { quotas: UsageEntry[] } }, quota: string) =>
  body.data.quotas.find((entry) => entry.quota === quota)

describe('the usage of a workspace', () => {
  let fleet: TestFleet
  let user: string
  beforeAll(async () => {
    fleet = await startTestFleet({
      services: ['auth', 'system', 'data', 'integrations', 'webhook-delivery', 'solutions', 'ai', 'audit', 'billing'],
    })
    user = await fleet.userToken(fleet.owner.ownerId)
  })
  afterAll(() => fleet.stop())

  const read = (as = user) => fleet.request('GET', path, { as })
  const create = (at: string, body: unknown) => fleet.request('POST', at, { as: user, body })

  it('lists every quota that a service counts, with its default limit', async () => {
    const { status, body } = await read()
    expect({ status, warnings: body.data.warnings }).toEqual({ status: 200, warnings: [] })
    expect(body.data.quotas).toEqual(
      quotaCounters.map(({ quota, kind }) => ({
        quota,
        kind,
        unit: quotas[quota].unit,
        limit: quotas[quota].limit,
        current: expect.any(Number),
        period: quota === 'uploaded_bytes_per_day' ? { start: expect.any(String), end: expect.any(String) } : null,
      })),
    )
  })

  it('lists every meter with its service, period and included quantity', async () => {
    const { body } = await read()
    expect(body.data.meters.map(({ meter, service }: MeterEntry) => ({ meter, service }))).toEqual(
      meters.map((meter) => ({ meter, service: meterSources[meter] })),
    )
    const periods = new Set(body.data.meters.map(({ period }: MeterEntry) => period.start))
    expect(periods.size).toBe(1)
    expect(body.data.meters).toContainEqual({
      meter: 'forecast_runs',
      service: 'solutions',
      quantity: 0,
      percent: 0,
      action: 'refuse',
      period: { start: expect.any(String), end: expect.any(String) },
      included: expect.any(Number),
    })
  })

  it('counts what the workspace has, and shows a limit of its own', async () => {
    const before = (await read()).body
    await create('/v1/system/workspace/variables', { name: 'COUNTED', value: 'x' })
    const source = await create('/v1/data/sources', { name: 'Rooms', provider: 'upload', config: { key: 'id' } })
    const rows = [{ id: 'a', name: 'Café' }, { id: 'b' }]
    await create(`/v1/data/sources/${source.body.data.data_source_id}/records`, rows)
    await setTestQuota(fleet.env('data').DATABASE_WORKER_URL, fleet.owner.workspaceId, 'sources', 3)
    const after = (await read()).body
    const change = (quota: string) => (entryOf(after, quota)?.current ?? 0) - (entryOf(before, quota)?.current ?? 0)
    expect(Object.fromEntries(quotaCounters.map(({ quota }) => [quota, change(quota)]))).toEqual({
      workspaces: 0,
      api_keys: 0,
      service_principals: 0,
      integrations: 0,
      subscriptions: 0,
      queued_jobs: 0,
      spaces: 0,
      teams: 0,
      datasets: 0,
      plan_schedules: 0,
      test_receivers: 0,
      portal_links: 0,
      event_destinations: 0,
      agents: 0,
      blueprints: 0,
      triggers: 0,
      evaluation_sets: 0,
      evaluations: 0,
      export_bytes: 0,
      seats: 0,
      variables: 1,
      sources: 1,
      records: 2,
      stored_bytes: rows.reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0),
      uploaded_bytes_per_day: Buffer.byteLength(JSON.stringify(rows)),
    })
    expect(entryOf(after, 'sources')?.limit).toBe(3)
  })

  it('has the quota of a user only for a user', async () => {
    expect(entryOf((await read()).body, 'workspaces')).toMatchObject({ current: 1, limit: 10 })
    expect(entryOf((await read(fleet.owner.apiKey)).body, 'workspaces')).toBeUndefined()
  })

  it('does not include another workspace', async () => {
    await create('/v1/system/workspace/variables', { name: 'MINE', value: 'x' })
    const { body } = await read(await fleet.token(fleet.stranger))
    expect(entryOf(body, 'variables')).toMatchObject({ current: 0 })
    expect(entryOf(body, 'sources')).toMatchObject({ current: 0, limit: quotas.sources.limit })
  })
})

describe('the usage of a workspace when services do not answer', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system.stop())

  it('is 200 with unknown quotas and a warning for each service', async () => {
    const caller = { workspaceId: newId('ws') }
    await system.put({ name: 'ONE', value: 'x' }, caller)
    const { status, body } = await system.request('GET', path, { caller })
    expect(status).toBe(200)
    expect(entryOf(body, 'variables')).toMatchObject({ limit: 500, current: 1 })
    expect(entryOf(body, 'sources')).toMatchObject({ limit: null, current: null })
    expect(entryOf(body, 'uploaded_bytes_per_day')).toMatchObject({ current: null, unit: 'bytes' })
    expect(body.data.meters).toEqual([])
    expect(body.data.warnings).toEqual(
      ['auth', 'data', 'integrations', 'webhook-delivery', 'solutions', 'ai', 'audit', 'billing'].map((name) =>
        expect.stringContaining(name),
      ),
    )
  })

  it('does not wait longer than the deadline for a service that hangs', async () => {
    const errors: string[] = []
    const answer = async () => []
    const { warnings } = await collectUsage({
      readers: {
        auth: answer,
        system: answer,
        integrations: answer,
        solutions: answer,
        'webhook-delivery': answer,
        ai: answer,
        audit: answer,
        data: () => new Promise(() => {}),
      },
      deadlineMs: 1,
      now: 0,
      onError: (service) => errors.push(service),
    })
    expect(warnings).toEqual([expect.stringContaining('data')])
    expect(errors).toEqual(['data'])
  })
})

describe('a variable over the quota', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system.stop())

  it('is rejected, one of 50 created concurrently is admitted, and existing ones can be replaced', async () => {
    const caller = { workspaceId: newId('ws') }
    await setTestQuota(system.env.DATABASE_WORKER_URL, caller.workspaceId, 'variables', 2)
    await system.put({ name: 'FIRST', value: 'x' }, caller)
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => system.put({ name: `CONCURRENT_${n}`, value: 'x' }, caller)),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    const refusals = responses.filter(({ status }) => status !== 201)
    for (const refusal of refusals) {
      expect(refusal).toMatchObject(problemResponse(403, 'quota_exceeded'))
      expect(refusal.body).toMatchObject({ quota: 'variables', limit: 2, current: 2 })
    }
    expect(await system.put({ name: 'FIRST', value: 'y' }, caller)).toMatchObject({ status: 200 })
    await system.remove('FIRST', caller)
    expect(await system.put({ name: 'SECOND', value: 'x' }, caller)).toMatchObject({ status: 201 })
  })
})
