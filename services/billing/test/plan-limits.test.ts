import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, setTestQuota, startTestFleet, type TestResponse, type TestWorkspace } from '@wp/testkit'
import { Client } from 'pg'
import { planOf } from '../src/plans.ts'

const fleet = await startTestFleet({ services: ['auth', 'billing', 'integrations', 'system'] })
afterAll(() => fleet.stop())

const change = (workspace: TestWorkspace, body: object): Promise<TestResponse> =>
  fleet.request('PATCH', '/v1/billing/subscription', { as: workspace.apiKey, body })

/** The policies that the edge reports, for example `{ credential: 600, workspace: 3000 }`. */
async function ratesOf(workspace: TestWorkspace, path = '/v1/billing/plans'): Promise<Record<string, number>> {
  const { headers } = await fleet.request('GET', path, { as: workspace.apiKey })
  const policies = [...(headers.get('ratelimit-policy') ?? '').matchAll(/"(\w+)";q=(\d+)/g)]
  return Object.fromEntries(policies.map(([, name = '', quota]) => [name, Number(quota)]))
}

async function quotaOf(workspace: TestWorkspace, quota: string): Promise<{ limit: number; current: number }> {
  const { body } = await fleet.request('GET', '/v1/system/usage', { as: workspace.apiKey })
  return body.data.quotas.find((each: { quota: string }) => each.quota === quota)
}

const free = { credential: 600, workspace: 3_000 }
const team = { credential: 1_200, workspace: 6_000 }

describe('a change of plan', () => {
  it('changes the rates at the edge and the quotas of the services, of that workspace only', async () => {
    const workspace = await fleet.seed('upgrading')
    expect(await ratesOf(workspace)).toEqual(free)
    const { status, body } = await change(workspace, { plan_id: planOf('team').id })
    expect([status, body.data.plan]).toEqual([200, 'team'])
    await eventually(async () => (await ratesOf(workspace)).workspace === team.workspace)
    expect(await ratesOf(workspace)).toEqual(team)
    await eventually(async () => (await quotaOf(workspace, 'integrations')).limit === 200)
    expect(await ratesOf(fleet.stranger)).toEqual(free)
    expect((await quotaOf(fleet.stranger, 'integrations')).limit).toBe(100)
  })

  it('leaves a limit that operators set', async () => {
    const workspace = await fleet.seed('overridden')
    await setTestQuota(fleet.databases.get('integrations')?.workerUrl, workspace.workspaceId, 'integrations', 7)
    await change(workspace, { plan_id: planOf('team').id })
    await eventually(async () => (await ratesOf(workspace)).workspace === team.workspace)
    // Each service learns of the plan on its own.
    const integrations = new Client({ connectionString: fleet.databases.get('integrations')?.workerUrl })
    await integrations.connect()
    const ofTeam = `SELECT FROM platform.plan_limits WHERE workspace_id = $1 AND plan = 'team'`
    await eventually(async () => (await integrations.query(ofTeam, [workspace.workspaceId])).rowCount === 1)
    await integrations.end()
    expect((await quotaOf(workspace, 'integrations')).limit).toBe(7)
  })
})

describe('the limits of a workspace by service', () => {
  it('apply to the endpoints of that service', async () => {
    const workspace = await fleet.seed('by-service')
    const auth = new Client({ connectionString: fleet.databases.get('auth')?.workerUrl })
    await auth.connect()
    await auth.query(
      `INSERT INTO platform.plan_limits (workspace_id, plan, version, credential_per_minute, workspace_per_minute, quotas,
         audit_retention_days)
       VALUES ($1, 'test', 1, 77, '{"billing": 42, "system": 7, "data": 7}', '{}', 1)`,
      [workspace.workspaceId],
    )
    await auth.end()
    expect(await ratesOf(workspace)).toEqual({ credential: 77, workspace: 42 })
    expect(await ratesOf(workspace, '/v1/system/usage')).toEqual({ credential: 77, workspace: 7 })
  })
})

describe('the seats of a subscription', () => {
  const invite = (workspace: TestWorkspace, name: string) =>
    fleet.request('POST', '/v1/auth/admin/users', {
      as: workspace.apiKey,
      body: { email: `${name}@seats.test`, role: 'viewer' },
    })

  it('limit members and pending invitations, and more seats allow more', async () => {
    const workspace = await fleet.seed('seats')
    expect(await quotaOf(workspace, 'seats')).toMatchObject({ limit: 10, current: 1 })
    await setTestQuota(fleet.databases.get('auth')?.workerUrl, workspace.workspaceId, 'seats', 2)
    expect((await invite(workspace, 'one')).status).toBe(201)
    const refused = await invite(workspace, 'two')
    expect([refused.status, refused.body.code, refused.body.quota]).toEqual([403, 'quota_exceeded', 'seats'])
    // A renewed invitation takes no further seat.
    expect((await invite(workspace, 'one')).status).toBe(201)
  })

  it('cannot be fewer than those in use', async () => {
    const workspace = await fleet.seed('shrinking')
    await change(workspace, { plan_id: planOf('team').id, seats: 12 })
    await eventually(async () => (await quotaOf(workspace, 'seats')).limit === 12)
    for (let n = 0; n < 10; n++) expect((await invite(workspace, `user-${n}`)).status).toBe(201)
    const { status, body } = await change(workspace, { seats: 10 })
    expect([status, body.errors]).toEqual([400, [{ pointer: '/seats', detail: expect.stringContaining('11 in use') }]])
    expect((await change(workspace, { plan_id: planOf('free').id })).body.errors[0].pointer).toBe('/plan_id')
  })
})
