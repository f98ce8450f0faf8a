import { afterAll, describe, expect, it } from '@jest/globals'
import type { DomainEvent } from '@wp/contracts'
import { createLogger, startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import fc from 'fast-check'
import { definition } from '../../src/index.ts'
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

interface Total {
  meter: string
  hour: Date
  quantity: number
}

const totalsOf = (workspaceId: string): Promise<Total[]> =>
  billing.sql<Total>('SELECT meter, hour, quantity FROM usage_totals WHERE workspace_id = $1 ORDER BY meter, hour', [
    workspaceId,
  ])

/** Resolves when every event has been handled. */
const settled = (events: readonly DomainEvent[]): Promise<unknown> =>
  eventually(async () => {
    const [row] = await billing.sql<{ handled: number }>(
      `SELECT count(*) AS handled FROM platform.inbox WHERE consumer = 'billing_usage' AND event_id = ANY ($1)`,
      [events.map(({ id }) => id)],
    )
    return row?.handled === new Set(events.map(({ id }) => id)).size
  })

describe('usage events', () => {
  it('are added up by meter and hour of their occurrence, each once, by two replicas', async () => {
    const workspaceId = newWorkspaceId()
    const events = Array.from({ length: 300 }, (_, n) =>
      usageEvent(workspaceId, n % 3 === 0 ? 'tokens_in' : 'agent_runs', {
        quantity: n % 3 === 0 ? 100 : 1,
        occurredAt: n < 150 ? '2026-03-01T10:59:59.999Z' : '2026-03-01T11:00:00.000Z',
      }),
    )
    await billing.publish([...events, ...events])
    await settled(events)
    expect(await totalsOf(workspaceId)).toEqual([
      { meter: 'agent_runs', hour: new Date('2026-03-01T10:00:00Z'), quantity: 100 },
      { meter: 'agent_runs', hour: new Date('2026-03-01T11:00:00Z'), quantity: 100 },
      { meter: 'tokens_in', hour: new Date('2026-03-01T10:00:00Z'), quantity: 5_000 },
      { meter: 'tokens_in', hour: new Date('2026-03-01T11:00:00Z'), quantity: 5_000 },
    ])
  })

  it('give the same totals when the log is repeated, in any order and batch', async () => {
    const use = fc.record({
      workspace: fc.integer({ min: 0, max: 2 }),
      meter: fc.constantFrom('syncs' as const, 'records' as const),
      quantity: fc.integer({ min: 0, max: 1_000_000 }),
      hour: fc.integer({ min: 0, max: 3 }),
    })
    const log = fc.array(use, { minLength: 1, maxLength: 60 }).chain((uses) =>
      fc.record({
        uses: fc.constant(uses),
        order: fc.shuffledSubarray(
          uses.flatMap((_, n) => [n, n + uses.length]),
          { minLength: 2 * uses.length },
        ),
      }),
    )
    await fc.assert(
      fc.asyncProperty(log, async ({ uses, order }) => {
        const workspaces = [newWorkspaceId(), newWorkspaceId(), newWorkspaceId()]
        const events = uses.map(({ workspace, meter, quantity, hour }) =>
          usageEvent(workspaces[workspace] ?? '', meter, { quantity, occurredAt: `2026-03-01T0${hour}:30:00.000Z` }),
        )
        await billing.publish(order.flatMap((n) => events[n % events.length] ?? []))
        await settled(events)
        for (const [workspace, workspaceId] of workspaces.entries()) {
          const sums = new Map<string, number>()
          for (const each of uses.filter((one) => one.workspace === workspace && one.quantity > 0)) {
            const key = `${each.meter} ${each.hour}`
            sums.set(key, (sums.get(key) ?? 0) + each.quantity)
          }
          const stored = await totalsOf(workspaceId)
          const found = stored.map(({ meter, hour, quantity }) => [`${meter} ${hour.getUTCHours()}`, quantity])
          expect(Object.fromEntries(found)).toEqual(Object.fromEntries(sums))
        }
      }),
      { numRuns: 10 },
    )
  })

  it('become dead letters when another service reports them or names another workspace', async () => {
    const workspaceId = newWorkspaceId()
    const foreign = usageEvent(workspaceId, 'tokens_in')
    const malformed = { ...usageEvent(workspaceId, 'tokens_in'), data: { meter: 'tokens_in', quantity: -1 } }
    await billing.publish([foreign], 'data')
    await billing.publish([malformed], 'ai')
    const good = usageEvent(workspaceId, 'tokens_in', { quantity: 7 })
    await billing.publish([good])
    await settled([good])
    const dead = await eventually(async () => {
      const rows = await billing.sql<{ id: string }>(
        'SELECT event_id AS id FROM platform.dead_events WHERE event_id = ANY ($1)',
        [[foreign.id, malformed.id]],
      )
      return rows.length === 2 && rows
    })
    expect(dead.map(({ id }) => id).sort()).toEqual([foreign.id, malformed.id].sort())
    expect(await totalsOf(workspaceId)).toMatchObject([{ meter: 'tokens_in', quantity: 7 }])
  })
})
