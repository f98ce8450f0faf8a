import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { noLog } from '@wp/runtime'
import { createTestDatabase, openWorkerPool, type TestDatabase } from '@wp/testkit'
import type { Pool } from 'pg'
import type { Context } from '../../../src/context.ts'
import { createAttemptCounts } from '../../../src/worker/attempt-counts.ts'
import { createRecorder } from '../../../src/worker/recorder.ts'
import { addBacklog, addEndpoint } from '../../fixture/backlog.ts'
import { claim } from '../../fixture/claim.ts'
import { delivered, ended, failed } from '../../fixture/ended-attempt.ts'

let database: TestDatabase
let sql: Pool
let webhookId: string

beforeAll(async () => {
  database = await createTestDatabase('webhook-delivery')
  sql = openWorkerPool(database.workerUrl, 4)
})

beforeEach(async () => {
  await sql.query('DELETE FROM deliveries')
  await sql.query('DELETE FROM delivered_counts')
  await sql.query('DELETE FROM subscriptions')
  webhookId = await addEndpoint(sql, 'ws_1')
})

afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

/** Returns a recorder, and a promise of its first wake of the dispatcher. */
function startRecorder() {
  const { promise: dispatched, resolve } = Promise.withResolvers<void>()
  // the part of the context that the recorder reads
  const attemptCounts = createAttemptCounts()
  const settings = { holdSchedule: [30] }
  const database = { worker: sql, extraPools: { records: sql } }
  const context = { database, log: noLog, settings, attemptCounts } as unknown as Context
  const wake = { dispatcher: resolve, pendingActions() {}, orderedDelivery() {} }
  return { ...createRecorder(context, wake, new AbortController().signal), dispatched, attemptCounts }
}

/** Leases deliveries as the fan-out does. */
async function leaseNew(count: number) {
  await addBacklog(sql, webhookId, count)
  const claimed = await claim(sql, count)
  return claimed.map((each) => ({ ...each, isNew: true as const }))
}

const endpointState = async () =>
  (
    await sql.query(
      `SELECT delivered_count, consecutive_failures, in_flight_cap,
         (SELECT sum(delivered)::int FROM attempt_hours h WHERE h.webhook_id = e.webhook_id) AS attempts,
         (SELECT sum(delivered)::int FROM delivered_counts WHERE workspace_id = 'ws_1') AS billed
       FROM endpoints e WHERE webhook_id = $1`,
      [webhookId],
    )
  ).rows[0]

it('successes of new deliveries are recorded without rows of their own, and counted by the end', async () => {
  const recorder = startRecorder()
  const leased = await leaseNew(3)
  await Promise.all(leased.map((each) => recorder.record(ended(each, delivered))))
  const { rows } = await sql.query(
    'SELECT status, lease_token, first_attempt IS NOT NULL AS has_attempt FROM deliveries',
  )
  expect(rows).toEqual(leased.map(() => ({ status: 'delivered', leaseToken: null, hasAttempt: true })))
  expect((await sql.query('SELECT FROM attempts')).rowCount).toBe(0)
  await recorder.stop()
  expect(await endpointState()).toMatchObject({ deliveredCount: 3, inFlightCap: 7, attempts: 3, billed: 3 })
})

it('successes are counted a moment later without any further attempt', async () => {
  const recorder = startRecorder()
  const [leased] = await leaseNew(1)
  if (leased === undefined) throw new Error('nothing was due')
  await sql.query('UPDATE endpoints SET next_due_at = now() WHERE webhook_id = $1', [webhookId])
  await recorder.record(ended(leased, delivered))
  await recorder.dispatched // the count finds the endpoint due
  expect(await endpointState()).toMatchObject({ deliveredCount: 1, attempts: 1, billed: 1 })
})

it('who reads statistics can have the recorded successes counted before', async () => {
  const { record, attemptCounts } = startRecorder()
  for (const leased of await leaseNew(2)) await record(ended(leased, delivered))
  await attemptCounts.flush()
  expect(await endpointState()).toMatchObject({ deliveredCount: 2, attempts: 2, billed: 2 })
})

it('a failure is counted after the successes of its endpoint that were recorded before', async () => {
  const recorder = startRecorder()
  const [first, second, third] = await leaseNew(3)
  if (first === undefined || second === undefined || third === undefined) throw new Error('fewer than three were due')
  await recorder.record(ended(first, delivered))
  await recorder.record(ended(second, delivered))
  const retry = { status: 'pending', delayMs: 60_000, retriesUsed: 1 } as const
  await recorder.record(ended(third, failed, retry))
  const counted = { deliveredCount: 2, consecutiveFailures: 1, attempts: 2, billed: 2 }
  expect(await endpointState()).toMatchObject(counted)
  await recorder.stop()
  expect(await endpointState()).toMatchObject(counted)
})

it('a success whose lease was lost is not counted', async () => {
  const recorder = startRecorder()
  const [leased] = await leaseNew(1)
  if (leased === undefined) throw new Error('nothing was due')
  await recorder.record(ended({ ...leased, leaseToken: 'of another worker' }, delivered))
  await recorder.stop()
  expect(await endpointState()).toMatchObject({ deliveredCount: 0, attempts: null, billed: null })
})
