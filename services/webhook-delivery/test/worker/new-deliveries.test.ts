import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { streamName } from '@wp/events'
import { eventually, neverRespond, type Receiver, respond, startReceiver } from '@wp/testkit'
import { type Harness, startHarness } from '../fixture/harness.ts'

let harness: Harness
let receiver: Receiver

beforeAll(async () => {
  harness = await startHarness({}, { settings: { pollMs: 100 } })
  receiver = await startReceiver()
})

afterAll(async () => {
  await receiver?.close()
  await harness?.stop()
})

/** Returns the times that a claim changes, once none is due. */
async function readServed(webhookId: string): Promise<{ served: string; due: string } | undefined> {
  const { rows } = await harness.sql.query<{ served: string; due: string }>(
    `SELECT last_served_at::text AS served, next_due_at::text AS due FROM endpoints
     WHERE webhook_id = $1 AND next_due_at > now() AND NOT EXISTS (SELECT FROM due_marks)`,
    [webhookId],
  )
  return rows[0]
}

it('new deliveries to an endpoint with nothing due are sent and recorded without a claim', async () => {
  const id = await harness.subscribe({ endpoint: receiver.url('/'), secret: 's' })
  await harness.publish()
  await harness.delivery(id, ({ status }) => status === 'delivered')
  // The end of the lease is set with the first delivery, so that no claim must look for it.
  const before = await eventually(() => readServed(id))
  for (let index = 0; index < 5; index += 1) {
    const { id: eventId } = await harness.publish()
    const { request_id } = await harness.delivery(
      id,
      (each) => each.event_id === eventId && each.status === 'delivered',
    )
    expect(await harness.detail(request_id)).toMatchObject({
      attempt_count: 1,
      attempts: [{ number: 1, outcome: 'delivered', status_code: 200 }],
    })
  }
  expect(await readServed(id)).toEqual(before)
  expect(receiver.received).toHaveLength(6)
})

it('the failure of a new delivery is retried by claims', async () => {
  receiver.setResponder(respond(500), '/fails')
  const id = await harness.subscribe({ endpoint: receiver.url('/fails'), secret: 's' })
  await harness.publish()
  await harness.delivery(id, ({ attempt_count }) => attempt_count >= 2)
})

it('new deliveries that one transaction writes in groups are within the in-flight cap together', async () => {
  receiver.setResponder(neverRespond(), '/hangs')
  const workspaceId = newId('ws')
  const id = await harness.subscribe({ endpoint: receiver.url('/hangs'), secret: 's' }, { workspaceId })
  const holder = await harness.sql.connect()
  try {
    // The events wait for the transaction of the first one, so the next transaction has all of them.
    await holder.query('BEGIN')
    await holder.query('SELECT FROM subscriptions WHERE webhook_id = $1 FOR UPDATE', [id])
    await harness.publish('FORECASTING_FINISHED', { workspace_id: workspaceId })
    // A group of deliveries has 1 MiB.
    const request_id = 'x'.repeat(200_000)
    for (let index = 0; index < 9; index += 1)
      await harness.publish('FORECASTING_FINISHED', { workspace_id: workspaceId, request_id })
    const { shard, jetstream } = harness.bus
    const consumer = () => jetstream.broker().manager.consumers.info(streamName(shard), 'webhook-delivery_deliveries')
    await eventually(async () => (await consumer()).num_ack_pending === 10)
    await holder.query('COMMIT')
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  const { leased, transactions } = await eventually(async () => {
    const { rows } = await harness.sql.query(
      `SELECT count(*)::int AS written, count(lease_token)::int AS leased, count(DISTINCT xmin::text)::int AS transactions
       FROM deliveries WHERE webhook_id = $1`,
      [id],
    )
    return rows[0].written === 10 && rows[0]
  })
  expect({ leased, transactions }).toEqual({ leased: 4, transactions: 2 })
})
