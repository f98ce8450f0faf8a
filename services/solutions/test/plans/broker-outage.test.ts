import { afterAll, expect, it } from '@jest/globals'
import { connectBus, filterSubject, streamName } from '@wp/events'
import { eventually, startNats } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const workplace = '/v1/solutions/workplace'
const every = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const nats = await startNats()
const harness = await startHarness({}, { natsUrl: nats.url })
const shard = harness.fleet.env('solutions').SHARD ?? ''
const bus = await connectBus({ servers: nats.url, shard, name: 'test', log: { warn() {}, error() {} } })
afterAll(async () => {
  await bus.close()
  await harness.stop()
  await nats.stop()
})

/** Returns the number of events of plans that the broker has. */
async function publishedPlans(): Promise<number> {
  const { manager } = bus.jetstream.broker()
  const kinds = ['WORKPLACE_PLAN_CREATED']
  const filter = { subjects_filter: filterSubject(shard, { producer: 'solutions', kinds }) }
  const { state } = await manager.streams.info(streamName(shard), filter)
  return Object.values(state.subjects ?? {}).reduce((sum, messages) => sum + messages, 0)
}

it('a plan is made once, and its event published once, when the broker is down at the hour and returns', async () => {
  const space = await harness.client.create(`${workplace}/spaces`, { name: 'Berlin', kind: 'site' })
  const schedule = { name: 'Berlin', space_id: space.id, local_time: '23:59', weekdays: every }
  const { id } = await harness.client.create(`${workplace}/plan-schedules`, schedule)
  await nats.kill()
  // The time of today has passed, so the plan of today is due.
  const changed = await harness.call('PATCH', `${workplace}/plan-schedules/${id}`, { body: { local_time: '00:00' } })
  expect(changed.status).toBe(200)
  const plans = () => harness.client.read(`${workplace}/plans?space_id=${space.id}`)
  await eventually(async () => (await plans()).length === 1, { description: 'the plan without a broker' })
  const unpublished = () =>
    harness.rows(`SELECT FROM platform.outbox WHERE kind = 'WORKPLACE_PLAN_CREATED' AND published_at IS NULL`)
  expect(await unpublished()).toHaveLength(1)
  await nats.restart()
  await eventually(async () => (await unpublished()).length === 0, { description: 'the event being published' })
  await eventually(async () => bus.isConnected, { description: 'the connection of the test' })
  expect([(await plans()).length, await publishedPlans()]).toEqual([1, 1])
  // A request after the outage gets the same plan.
  const again = await harness.call('POST', `${workplace}/plan-schedules/${id}/run`)
  expect(again.body.data.id).toBe((await plans())[0].id)
  expect([(await plans()).length, await publishedPlans()]).toEqual([1, 1])
})
