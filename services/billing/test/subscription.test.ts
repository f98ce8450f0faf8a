import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestResponse, type TestWorkspace } from '@wp/testkit'
import { Client } from 'pg'
import { planOf } from '../src/plans.ts'

const fleet = await startTestFleet({ services: ['auth', 'billing'] })
const sql = new Client({ connectionString: fleet.databases.get('billing')?.workerUrl })
await sql.connect()
afterAll(async () => {
  await sql.end()
  await fleet.stop()
})

const path = '/v1/billing/subscription'
const read = ({ apiKey }: TestWorkspace) => fleet.request('GET', path, { as: apiKey })
const change = ({ apiKey }: TestWorkspace, body: object, headers: Record<string, string> = {}): Promise<TestResponse> =>
  fleet.request('PATCH', path, { as: apiKey, body, headers })

const rows = async (text: string, { workspaceId }: TestWorkspace) => (await sql.query(text, [workspaceId])).rows
const changesOf = (workspace: TestWorkspace) =>
  rows('SELECT * FROM plan_changes WHERE workspace_id = $1 ORDER BY id', workspace)
const eventsOf = (kind: string, workspace: TestWorkspace) =>
  rows(`SELECT data FROM platform.outbox WHERE workspace_id = $1 AND kind = '${kind}' ORDER BY position`, workspace)

const [free, team, business] = ['free', 'team', 'business'].map(planOf)

describe('GET /v1/billing/subscription', () => {
  it('is the plan free by calendar months for a workspace that never subscribed', async () => {
    const { workspaceId } = fleet.stranger
    const { body } = await read(fleet.stranger)
    expect(body.data).toEqual({
      id: workspaceId.replace('ws_', 'sub_'),
      workspace_id: workspaceId,
      plan_id: free?.id,
      plan: 'free',
      status: 'active',
      seats: 10,
      pending_change: null,
      created_at: null,
      updated_at: null,
      current_period_start: expect.stringMatching(/-01T00:00:00\.000Z$/),
      current_period_end: expect.stringMatching(/-01T00:00:00\.000Z$/),
    })
  })
})

describe('PATCH /v1/billing/subscription', () => {
  it('begins a period with a dearer plan at once, and emits the change and the limits', async () => {
    const workspace = await fleet.seed('dearer')
    const { body } = await change(workspace, { plan_id: team?.id })
    const { current_period_start: start, updated_at: updatedAt } = body.data
    expect(body.data).toMatchObject({ plan: 'team', seats: 10, pending_change: null })
    expect(start).toBe(updatedAt)
    expect((await read(workspace)).body.data).toEqual(body.data)
    expect(await eventsOf('PLAN_CHANGED', workspace)).toEqual([
      { data: { id: body.data.id, status: 'active', plan_id: team?.id, plan: 'team' } },
    ])
    expect(await eventsOf('PLAN_LIMITS_CHANGED', workspace)).toMatchObject([
      { data: { plan: 'team', version: 1, effective_at: start, limits: { ...team?.limits, seats: 10 } } },
    ])
  })

  it('changes to a cheaper plan at the end of the period, until then withdrawn with null', async () => {
    const workspace = await fleet.seed('cheaper')
    await change(workspace, { plan_id: business?.id })
    const scheduled = (await change(workspace, { plan_id: team?.id })).body.data
    expect(scheduled).toMatchObject({
      plan: 'business',
      pending_change: { plan_id: team?.id, plan: 'team', seats: 10, effective_at: scheduled.current_period_end },
    })
    expect((await change(workspace, { pending_change: null })).body.data.pending_change).toBeNull()
    expect(await changesOf(workspace)).toHaveLength(1)
    // The seats of the decrease count at once, and again when it is withdrawn.
    const limits = await eventsOf('PLAN_LIMITS_CHANGED', workspace)
    expect(limits.map(({ data }) => [data.version, data.limits.seats])).toEqual([
      [1, 50],
      [2, 10],
      [3, 50],
    ])
  })

  it('serializes concurrent changes: each continues from the one before', async () => {
    const workspace = await fleet.seed('concurrent')
    const seats = Array.from({ length: 10 }, (_, n) => 11 + n)
    const answers = await Promise.all(
      seats.map((count) => change(workspace, { plan_id: team?.id, seats: count, effective: 'now' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(seats.map(() => 200))
    const changes = await changesOf(workspace)
    expect(changes.map(({ to_seats }) => to_seats).sort()).toEqual(seats)
    expect(changes.slice(1).map(({ from_seats }) => from_seats)).toEqual(
      changes.slice(0, -1).map((one) => one.to_seats),
    )
    const versions = (await eventsOf('PLAN_LIMITS_CHANGED', workspace)).map(({ data }) => data.version)
    expect(versions).toEqual(seats.map((_, n) => n + 1))
  })

  it('rejects a change of a subscription that has changed since it was read', async () => {
    const workspace = await fleet.seed('stale')
    const etag = (await read(workspace)).headers.get('etag') ?? ''
    expect((await change(workspace, { plan_id: team?.id }, { 'if-match': etag })).status).toBe(200)
    expect((await change(workspace, { seats: 20 }, { 'if-match': etag })).status).toBe(412)
  })

  it.each([
    ['an unknown plan', { plan_id: 'plan_01h455vb4pex5vsknk084sn02q' }, '/plan_id'],
    ['seats beyond the plan', { seats: 11 }, '/seats'],
    ['a withdrawal together with a change', { seats: 10, pending_change: null }, '/pending_change'],
    ['a time without a change', { effective: 'now' }, '/effective'],
  ])('rejects %s and changes nothing', async (_, body, pointer) => {
    const answer = await change(fleet.stranger, body)
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer])
    expect((await read(fleet.stranger)).body.data.updated_at).toBeNull()
  })
})
