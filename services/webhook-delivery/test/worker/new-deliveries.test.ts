import { afterAll, expect, it } from '@jest/globals'
import { eventually, respond, startReceiver } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness({}, { settings: { pollMs: 100 } })
const receiver = await startReceiver()

afterAll(async () => {
  await receiver.close()
  await harness.stop()
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
