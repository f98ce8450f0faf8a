import { afterAll, describe, expect, it } from '@jest/globals'
import { invalidationSubject, type PlanLimits, planLimitsChanged, type Resolution } from '@wp/contracts'
import { newId } from '@wp/database'
import { publishEvent } from '@wp/events'
import { eventually } from '@wp/testkit'
import { grantLimits } from '../../src/resolution.ts'
import { presentApiKey, startTestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const limits: PlanLimits = {
  credential_per_minute: 1_200,
  workspace_per_minute: { data: 60, ai: 6_000, billing: 6_000 },
  seats: 20,
  quotas: {},
  audit_retention_days: 365,
}

/** Publishes the limits of a workspace as billing does. @returns the id of the event */
async function publish(
  workspaceId: string,
  version: number,
  changed: Partial<PlanLimits> = {},
  producer = 'billing',
): Promise<string> {
  const id = newId('evt')
  await publishEvent(auth.context.bus, producer, {
    id,
    kind: planLimitsChanged.kind,
    workspace_id: workspaceId,
    request_id: 'test',
    occurred_at: '2026-02-01T00:00:00.000Z',
    actor: { id: 'billing', type: 'service' },
    traceparent: null,
    data: { plan: 'team', limits: { ...limits, ...changed }, effective_at: '2026-02-01T00:00:00.000Z', version },
  })
  return id
}

/** Waits until events have been handled. */
const handled = (ids: readonly string[]) =>
  eventually(async () => {
    const rows = await auth.rows('SELECT FROM platform.inbox WHERE event_id = ANY ($1)', [ids])
    return rows.length === ids.length
  })

/** Creates a workspace, and a function that resolves a key of it. */
async function workspaceWithKey(): Promise<{ workspaceId: string; limitsOfKey(): Promise<unknown> }> {
  const { owner, workspaceId } = await auth.workspace()
  const created = await auth.request('POST', '/v1/auth/api-key', { caller: owner })
  const presented = presentApiKey(created.body.data.api_key)
  return { workspaceId, limitsOfKey: async () => limitsOf(await auth.resolve(presented)) }
}

function limitsOf(resolution: Resolution): unknown {
  if (resolution.status !== 'active') throw new Error(`expected an active credential, not ${resolution.status}`)
  return [resolution.identity.limits, resolution.identity.grants[0]?.limits]
}

const free = [{ credential_per_minute: 600 }, { workspace_per_minute: 3_000 }]
const team = [{ credential_per_minute: 1_200 }, { workspace_per_minute: 6_000, services: { data: 60 } }]

describe('the limits of a plan', () => {
  it('are granted to the credentials of that workspace, and drop its cached identities', async () => {
    const [first, second] = [await workspaceWithKey(), await workspaceWithKey()]
    const invalidations: unknown[] = []
    const subscription = auth.context.bus.subscribe(invalidationSubject, (data) => invalidations.push(data))
    await publish(first.workspaceId, 1)
    await eventually(() =>
      invalidations.some((one) => JSON.stringify(one) === `{"workspace_id":"${first.workspaceId}"}`),
    )
    subscription.unsubscribe()
    expect(await first.limitsOfKey()).toEqual(team)
    expect(await second.limitsOfKey()).toEqual(free)
  })

  it('stay when earlier ones arrive late, and when another service sends some', async () => {
    const { workspaceId, limitsOfKey } = await workspaceWithKey()
    await publish(workspaceId, 9, { credential_per_minute: 2 }, 'data')
    await handled([await publish(workspaceId, 2)])
    await handled([await publish(workspaceId, 1, { credential_per_minute: 1 })])
    expect(await limitsOfKey()).toEqual(team)
  })
})

describe('grantLimits', () => {
  it.each<[string, Record<string, number> | null, object]>([
    ['the base without a plan', null, { workspace_per_minute: 3_000 }],
    ['one number if all services have it', { data: 5, ai: 5 }, { workspace_per_minute: 5 }],
    [
      'the most frequent number and the others by service',
      { data: 5, ai: 7, mcp: 7 },
      { workspace_per_minute: 7, services: { data: 5 } },
    ],
    ['the base if the plan names unknown services only', { future: 5 }, { workspace_per_minute: 3_000 }],
  ])('returns %s', (_, plan, expected) => {
    expect(grantLimits(3_000, plan)).toEqual(expected)
  })
})
