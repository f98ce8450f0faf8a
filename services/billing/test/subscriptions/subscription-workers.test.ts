import { afterAll, describe, expect, it } from '@jest/globals'
import { connectDatabase, newId } from '@wp/database'
import { createScheduleWorker } from '@wp/jobs/background'
import { noLog } from '@wp/runtime'
import { createTestDatabase, eventually } from '@wp/testkit'
import { PrismaClient } from '#db'
import { insertOrLockSubscription, storeSentLimits, updateSubscription } from '../../src/store/subscriptions.ts'
import { subscriptionIdOf, toColumns } from '../../src/subscriptions/subscription-record.ts'
import { limitsOf, type SubscriptionState } from '../../src/subscriptions/subscription-state.ts'
import { limitResendSchedule, pendingChangeSchedule } from '../../src/subscriptions/subscription-workers.ts'

const log = { info() {}, warn() {}, error() {} }
const anchor = new Date('2026-01-31T08:00:00.000Z')
const due = new Date('2026-03-31T08:00:00.000Z')
const business: SubscriptionState = { plan: 'business', seats: 60, anchor, pending: null }

const server = await createTestDatabase('billing')
const database = connectDatabase({
  url: server.url,
  workerUrl: server.workerUrl,
  shard: 'test',
  log,
  prisma: (adapter) => new PrismaClient({ adapter }),
})
afterAll(async () => {
  await database.close()
  await server.drop()
})

const rows = async (text: string, values: readonly unknown[]) => (await database.worker.query(text, [...values])).rows

/** Stores a subscription whose limits were sent at a time. */
async function subscribe(state: SubscriptionState, sentAt = anchor, limits = limitsOf(state)): Promise<string> {
  const workspaceId = newId('ws')
  const caller = { workspaceId, shard: 'two', location: '', scopes: [], requestId: 'test', credentialId: 'test' }
  await database.transact({ ...caller, principal: { id: 'test', type: 'service' } }, async (tx) => {
    const columns = { id: subscriptionIdOf(workspaceId), workspaceId, shard: 'two', ...toColumns(state) }
    await insertOrLockSubscription(tx.query, columns, anchor)
    await updateSubscription(tx.query, { ...columns, updatedAt: anchor })
    const sent = { workspaceId, limitsVersion: 4, sentLimits: { plan: state.plan, limits } }
    await storeSentLimits(tx.query, sent, sentAt)
  })
  return workspaceId
}

const changesOf = (workspaceId: string) => rows('SELECT * FROM plan_changes WHERE workspace_id = $1', [workspaceId])
const sentLimitsOf = (workspaceId: string) =>
  rows(`SELECT shard, data FROM platform.outbox WHERE workspace_id = $1 AND kind = 'PLAN_LIMITS_CHANGED'`, [
    workspaceId,
  ])

/** Runs workers until the check succeeds. */
async function run(schedule: typeof pendingChangeSchedule, now: Date, check: () => Promise<boolean>): Promise<void> {
  const workers = [0, 1].map(() =>
    createScheduleWorker(schedule({ database, now: () => now.getTime() }), { database, log: noLog }),
  )
  await Promise.all(workers.map((worker) => worker.start()))
  await eventually(check)
  await Promise.all(workers.map((worker) => worker.stop()))
}

describe('the worker of pending changes', () => {
  it('applies each due change once, as of its time, with two replicas', async () => {
    const pending = { plan: 'team', seats: 10, at: due }
    const workspaces = await Promise.all(Array.from({ length: 5 }, () => subscribe({ ...business, pending })))
    const later = await subscribe({ ...business, pending: { ...pending, at: new Date('2026-04-30T08:00:00.000Z') } })
    const all = async () => (await Promise.all(workspaces.map(changesOf))).every((changes) => changes.length > 0)
    await run(pendingChangeSchedule, new Date('2026-04-02'), all)
    for (const workspaceId of workspaces) {
      const expected = { occurredAt: due, fromPlan: 'business', fromSeats: 60, toPlan: 'team', toSeats: 10 }
      expect(await changesOf(workspaceId)).toEqual([expect.objectContaining(expected)])
      const data = expect.objectContaining({ plan: 'team', version: 5, effective_at: due.toISOString() })
      expect(await sentLimitsOf(workspaceId)).toEqual([{ shard: 'two', data }])
    }
    expect(await changesOf(later)).toEqual([])
  })

  it('applies the changes of other workspaces when one fails', async () => {
    // The plan is not in the catalogue, so the change fails.
    const broken = await subscribe({ ...business, pending: { plan: 'gone', seats: 10, at: anchor } })
    const sound = await subscribe({ ...business, pending: { plan: 'team', seats: 10, at: due } })
    await run(pendingChangeSchedule, new Date('2026-04-02'), async () => (await changesOf(sound)).length > 0)
    expect(await changesOf(broken)).toEqual([])
    await rows('DELETE FROM subscriptions WHERE workspace_id = $1', [broken])
  })
})

describe('the worker that sends limits again', () => {
  it('sends those last sent more than a day ago, with a new version only if they have changed', async () => {
    const now = new Date('2026-02-10T00:00:00.000Z')
    const old = await subscribe(business, new Date('2026-02-08T23:00:00.000Z'))
    const outdated = await subscribe(business, new Date('2026-02-08T22:00:00.000Z'), {
      ...limitsOf(business),
      credential_per_minute: 1,
    })
    const recent = await subscribe(business, new Date('2026-02-09T01:00:00.000Z'))
    await run(limitResendSchedule, now, async () => (await sentLimitsOf(old)).length > 0)
    expect(await sentLimitsOf(old)).toMatchObject([{ data: { version: 4, limits: { seats: 60 } } }])
    // The catalogue has changed since.
    expect(await sentLimitsOf(outdated)).toMatchObject([{ data: { version: 5 } }])
    expect(await sentLimitsOf(recent)).toEqual([])
  })
})
