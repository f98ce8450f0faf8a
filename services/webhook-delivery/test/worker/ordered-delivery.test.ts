import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { DomainEvent } from '@wp/contracts'
import { startService } from '@wp/service'
import { eventually, failFirst, respond, startReceiver } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness({ FAN_OUT_CONCURRENCY: '8', ATTEMPT_TIMEOUT_SECONDS: '20', LEASE_SECONDS: '25' })
const second = await startService(definition, { ...harness.service.env, PORT: '0' })
const receiver = await startReceiver()

beforeEach(() => receiver.clear())

afterAll(async () => {
  await receiver.close()
  await second.stop()
  await harness.stop()
})

const subscribeStrict = (path: string, events = ['RECOMMENDATION_CREATED']) =>
  harness.subscribe({ endpoint: receiver.url(path), events, ordering: 'strict' })

async function publish(count: number): Promise<DomainEvent[]> {
  const events: DomainEvent[] = []
  for (let index = 0; index < count; index += 1) events.push(await harness.publish('RECOMMENDATION_CREATED'))
  return events
}

const eventsAt = (path: string) =>
  receiver.received.filter((request) => request.path === path).map(({ headers }) => headers['x-webhook-event-id'])
const idsOf = (events: readonly DomainEvent[]) => events.map(({ id }) => id)
const remove = (id: string) => harness.call('DELETE', `/webhooks/${id}`)

describe('a strict subscription', () => {
  it('gets events one at a time and in order when two replicas fan out and deliver', async () => {
    receiver.setResponder(async ({ response }) => {
      await new Promise((resolve) => setImmediate(resolve))
      response.end()
    })
    const ids = [await subscribeStrict('/one'), await subscribeStrict('/two'), await subscribeStrict('/three')]
    const events = await publish(120)
    for (const path of ['/one', '/two', '/three']) {
      await eventually(() => eventsAt(path).length >= 120)
      expect(eventsAt(path)).toEqual(idsOf(events))
    }
    expect(receiver.inFlight.peak).toBeLessThanOrEqual(3)
    const { body } = await harness.call('GET', `/webhooks/${ids[0]}`)
    expect(body.data.ordering).toBe('strict')
    for (const id of ids) await remove(id)
  })

  it('blocks on a failing delivery until its retries are used up, then continues', async () => {
    const rest = failFirst(1, respond(503), respond(200))
    receiver.setResponder((exchange) => {
      const isFirst = exchange.request.headers['x-webhook-event-id'] === eventsAt('/blocked')[0]
      return (isFirst ? respond(500) : rest)(exchange)
    }, '/blocked')
    const id = await subscribeStrict('/blocked')
    const [first, ...others] = await publish(4)
    await harness.delivery(id, ({ event_id, status }) => event_id === first?.id && status === 'failed')
    await harness.call('PATCH', `/webhooks/${id}`, { headers: {} })
    await harness.delivery(id, ({ event_id, status }) => event_id === others.at(-1)?.id && status === 'delivered')
    const order = eventsAt('/blocked')
    expect(order.slice(0, 4)).toEqual(Array(4).fill(first?.id))
    expect([...new Set(order)]).toEqual(idsOf([first, ...others].filter((event) => event !== undefined)))
    await remove(id)
  })

  it('shows waiting deliveries without a next attempt, and continues after a resend', async () => {
    const id = await subscribeStrict('/again')
    receiver.holdResponses()
    const [first, next] = await publish(2)
    const waiting = await harness.delivery(id, ({ event_id }) => event_id === next?.id)
    expect(waiting).toMatchObject({ status: 'pending', attempt_count: 0, next_attempt_at: null })
    expect((await harness.call('POST', `/webhooks/${id}/test`)).status).toBe(202)
    // A test is not an event and does not wait.
    await receiver.waitFor(({ headers }) => headers['x-webhook-event'] === 'WEBHOOK_TEST')
    expect(eventsAt('/again')).not.toContain(next?.id)
    receiver.releaseResponses()
    const delivered = await harness.delivery(
      id,
      ({ event_id, status }) => event_id === first?.id && status === 'delivered',
    )
    await harness.delivery(id, ({ event_id, status }) => event_id === next?.id && status === 'delivered')
    expect((await harness.call('POST', `/deliveries/${delivered.request_id}/resend`)).status).toBe(202)
    await harness.delivery(id, ({ event_id, attempt_count, status }) =>
      Boolean(event_id === first?.id && attempt_count === 2 && status === 'delivered'),
    )
    await remove(id)
  })

  it('can change to best effort and back', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url('/switched'), events: ['RECOMMENDATION_CREATED'] })
    receiver.holdResponses()
    await publish(1)
    await receiver.waitFor(({ path }) => path === '/switched')
    await harness.call('PATCH', `/webhooks/${id}`, { ordering: 'strict' })
    const events = await publish(6)
    await eventually(async () => (await harness.deliveries(id)).length === 7)
    expect(receiver.inFlight.now).toBe(1)
    await harness.call('PATCH', `/webhooks/${id}`, { ordering: 'best_effort' })
    await eventually(() => receiver.inFlight.now === 4)
    await harness.call('PATCH', `/webhooks/${id}`, { ordering: 'strict' })
    receiver.releaseResponses()
    await eventually(() => eventsAt('/switched').length === 7)
    expect(new Set(eventsAt('/switched').slice(1))).toEqual(new Set(idsOf(events)))
    await eventually(async () => (await harness.deliveries(id)).every(({ status }) => status === 'delivered'))
    await remove(id)
  })
})

describe('two replicas with twenty endpoints', () => {
  it('send no delivery twice, and keep the order of strict endpoints', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/${index % 5 === 0 ? 'strict' : 'any'}/${index}`)
    const ids: string[] = []
    for (const path of paths)
      ids.push(
        path.startsWith('/strict')
          ? await subscribeStrict(path)
          : await harness.subscribe({ endpoint: receiver.url(path), events: ['RECOMMENDATION_CREATED'] }),
      )
    const events = await publish(10)
    await receiver.waitFor(200)
    await eventually(async () => {
      const { rows } = await harness.sql.query(
        `SELECT count(*)::int AS pending FROM deliveries WHERE webhook_id = ANY ($1) AND status <> 'delivered'`,
        [ids],
      )
      return rows[0].pending === 0
    })
    expect(receiver.received).toHaveLength(200)
    for (const path of paths) {
      const received = eventsAt(path)
      expect(new Set(received)).toEqual(new Set(idsOf(events)))
      if (path.startsWith('/strict')) expect(received).toEqual(idsOf(events))
    }
    for (const id of ids) await remove(id)
  })
})
