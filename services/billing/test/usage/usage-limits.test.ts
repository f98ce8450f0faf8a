import { afterAll, describe, expect, it } from '@jest/globals'
import type { DomainEvent } from '@wp/contracts'
import { newId } from '@wp/database'
import { createLogger, startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { planOf } from '../../src/plans.ts'
import { requestUsageChecks } from '../../src/store/usage-checks.ts'
import { newWorkspaceId, startUsageHarness, usageEvent } from '../fixture/usage-harness.ts'

const billing = await startUsageHarness()
const replica = await startService(
  definition,
  { ...billing.env, PORT: '0' },
  { log: createLogger('billing', 'silent') },
)
afterAll(async () => {
  await replica.stop()
  await billing.stop()
})

interface Emitted {
  kind: string
  data: Record<string, unknown>
}

const emittedOf = (workspaceId: string): Promise<Emitted[]> =>
  billing.sql<Emitted>(
    `SELECT kind, data FROM platform.outbox WHERE workspace_id = $1
       AND kind IN ('USAGE_LIMIT_REACHED', 'METER_LIMIT_CHANGED') ORDER BY position`,
    [workspaceId],
  )

/** Resolves with the events when the checks of a workspace are done and there are so many. */
const emitted = (workspaceId: string, count: number): Promise<Emitted[]> =>
  eventually(async () => {
    const [row] = await billing.sql('SELECT FROM usage_checks WHERE workspace_id = $1', [workspaceId])
    const events = await emittedOf(workspaceId)
    return row === undefined && events.length >= count && events
  })

/** Resolves when every event was counted: several transactions may count them. */
const counted = (events: readonly DomainEvent[]): Promise<unknown> =>
  eventually(async () => {
    const ids = events.map(({ id }) => id)
    const rows = await billing.sql('SELECT FROM platform.inbox WHERE event_id = ANY ($1)', [ids])
    return rows.length === events.length
  })

/** Publishes use and resolves when it was counted. */
async function use(workspaceId: string, quantity: number): Promise<void> {
  const event = usageEvent(workspaceId, 'forecast_runs', { quantity })
  await billing.publish([event, event])
  await counted([event])
}

/** Stores a subscription as a change of plan does. */
async function subscribe(workspaceId: string, plan: string): Promise<void> {
  await billing.sql(
    `INSERT INTO subscriptions (id, workspace_id, shard, plan_code, seats, anchor_at)
     VALUES ($1, $2, $3, $4, 10, date_trunc('month', now()))`,
    [newId('sub'), workspaceId, billing.bus.shard, plan],
  )
  await requestUsageChecks(billing.sql, billing.bus.shard, [workspaceId])
}

const meterUsage = async (workspaceId: string) => {
  const { body } = await billing.request('GET', '/internal/billing/meter-usage', {
    caller: { workspaceId },
    signer: 'system',
  })
  return body.data.meters.find(({ meter }: { meter: string }) => meter === 'forecast_runs')
}

const included = planOf('free').meters.find(({ meter }) => meter === 'forecast_runs')?.included ?? 0

describe('the limit of a meter', () => {
  it('is reported once at 80 % and at 100 %, and further use is refused until the plan is higher', async () => {
    const workspaceId = newWorkspaceId()
    await use(workspaceId, included * 0.8 - 1)
    expect(await emitted(workspaceId, 0)).toEqual([])
    await use(workspaceId, 1)
    expect(await emitted(workspaceId, 1)).toMatchObject([
      { kind: 'USAGE_LIMIT_REACHED', data: { meter: 'forecast_runs', percent: 80, limit: included, id: workspaceId } },
    ])
    expect(await meterUsage(workspaceId)).toMatchObject({ quantity: included * 0.8, percent: 80, at_limit: 'refuse' })
    await use(workspaceId, included * 0.2)
    await use(workspaceId, 5)
    expect((await emitted(workspaceId, 3)).slice(1)).toMatchObject([
      { kind: 'USAGE_LIMIT_REACHED', data: { meter: 'forecast_runs', percent: 100 } },
      { kind: 'METER_LIMIT_CHANGED', data: { meter: 'forecast_runs', exhausted: true, version: 1 } },
    ])
    await subscribe(workspaceId, 'team')
    expect((await emitted(workspaceId, 4)).slice(3)).toMatchObject([
      { kind: 'METER_LIMIT_CHANGED', data: { meter: 'forecast_runs', exhausted: false, version: 2 } },
    ])
  })

  it('is reported once when both thresholds are passed at once, and by no other workspace', async () => {
    const [workspaceId, other] = [newWorkspaceId(), newWorkspaceId()]
    await use(other, 1)
    await use(workspaceId, included * 2)
    const events = await emitted(workspaceId, 3)
    expect(events.map(({ kind, data }) => [kind, data.percent])).toEqual([
      ['USAGE_LIMIT_REACHED', 80],
      ['USAGE_LIMIT_REACHED', 100],
      ['METER_LIMIT_CHANGED', undefined],
    ])
    expect(await emitted(other, 0)).toEqual([])
  })
})

describe('GET /v1/billing/usage', () => {
  it('groups the use of a range by time and by dimension', async () => {
    const workspaceId = newWorkspaceId()
    const event = (occurredAt: string, quantity: number, dimensions = {}) =>
      usageEvent(workspaceId, 'tokens_in', { occurredAt, quantity, dimensions })
    const events = [
      event('2026-02-27T23:00:00.000Z', 1),
      event('2026-02-28T10:00:00.000Z', 20, { model: 'small' }),
      event('2026-02-28T11:00:00.000Z', 300, { model: 'large' }),
      event('2026-03-01T00:00:00.000Z', 4_000, { model: 'large', colour: 'red' }),
      event('2026-03-02T00:00:00.000Z', 50_000),
    ]
    await billing.publish(events)
    const read = async (query: string) => {
      const path = `/v1/billing/usage?since=2026-02-28T00:00:00Z&until=2026-03-02T00:00:00Z&${query}`
      return (await billing.request('GET', path, { caller: { workspaceId } })).body
    }
    await counted(events)
    const totals = (await read('group_by=month')).data.groups
    expect(totals.map(({ start, quantity }: Record<string, unknown>) => [start, quantity])).toEqual([
      ['2026-02-01T00:00:00.000Z', 320],
      ['2026-03-01T00:00:00.000Z', 4_000],
    ])
    const byModel = (await read('group_by=model&meter=tokens_in')).data.groups
    expect(byModel.map(({ value, quantity }: Record<string, unknown>) => [value, quantity])).toEqual([
      ['large', 4_300],
      ['small', 20],
    ])
    expect((await read('group_by=model&meter=syncs')).data.groups).toEqual([])
    expect((await read('group_by=meter')).data.groups).toMatchObject([{ meter: 'tokens_in', quantity: 4_320 }])
    expect((await read('')).data.period).toEqual({
      start: '2026-02-28T00:00:00.000Z',
      end: '2026-03-02T00:00:00.000Z',
    })
  })

  it('rejects ranges that are empty or too long', async () => {
    const statusOf = async (query: string) => (await billing.request('GET', `/v1/billing/usage?${query}`)).status
    expect(await statusOf('since=2026-03-02T00:00:00Z&until=2026-03-02T00:30:00Z')).toBe(400)
    expect(await statusOf('since=2026-01-01T00:00:00Z&until=2026-03-02T00:00:00Z&group_by=hour')).toBe(400)
    expect(await statusOf('since=2026-01-01T00:00:00Z&until=2026-03-02T00:00:00Z&group_by=day')).toBe(200)
    expect(await statusOf('since=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z')).toBe(400)
  })
})
