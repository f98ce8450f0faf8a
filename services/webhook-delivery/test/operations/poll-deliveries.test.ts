import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startReceiver } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness({ FAN_OUT_CONCURRENCY: '8' })
const receiver = await startReceiver()

afterAll(async () => {
  await harness.stop()
  await receiver.close()
})

interface Page {
  items: { request_id: string; event_id: string; event: string; body: string; occurred_at: string }[]
  next_cursor: string | null
  done: boolean
}

const poll = async (id: string, query = ''): Promise<Page> =>
  (await harness.call('GET', `/webhooks/${id}/poll${query}`)).body.data
const eventsOf = (page: Page) => page.items.map((item) => item.event_id)
const stats = async (id: string) => (await harness.call('GET', `/webhooks/${id}`)).body.data.stats

async function publish(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) ids.push((await harness.publish('RECOMMENDATION_CREATED')).id)
  return ids
}

/** Polls until `count` deliveries are returned. */
const pollUntil = (id: string, count: number) =>
  eventually(async () => {
    const page = await poll(id, '?limit=100')
    return page.items.length === count ? page : undefined
  })

describe('a receiver that polls', () => {
  it('gets events in order without an endpoint, and acknowledges them with the cursor', async () => {
    const id = await harness.subscribe({ delivery: 'poll', events: ['RECOMMENDATION_CREATED'] })
    expect((await harness.call('GET', `/webhooks/${id}`)).body.data).toMatchObject({ delivery: 'poll', endpoint: null })
    expect(await poll(id)).toEqual({ items: [], next_cursor: null, done: true })
    const events = await publish(12)
    await pollUntil(id, 12)

    const first = await poll(id, '?limit=5')
    expect(eventsOf(first)).toEqual(events.slice(0, 5))
    expect(first.done).toBe(false)
    const detail = await harness.detail(first.items[0]?.request_id ?? '')
    expect(first.items[0]).toMatchObject({
      event: 'RECOMMENDATION_CREATED',
      body: detail.body,
      event_id: detail.event_id,
    })
    expect(JSON.parse(first.items[0]?.body ?? '')).toMatchObject({ request_id: first.items[0]?.request_id })

    const second = await poll(id, `?limit=5&cursor=${first.next_cursor}`)
    expect(eventsOf(second)).toEqual(events.slice(5, 10))
    const third = await poll(id, `?limit=5&cursor=${second.next_cursor}`)
    expect(third).toMatchObject({ done: true })
    expect(eventsOf(third)).toEqual(events.slice(10))
    expect(await harness.deliveries(id, '?status=delivered')).toHaveLength(10)
    expect(await poll(id, `?cursor=${third.next_cursor}`)).toEqual({ items: [], next_cursor: null, done: true })
    expect(await stats(id)).toMatchObject({ delivered: 12, pending: 0 })
    expect(receiver.received).toEqual([])
  })

  it('gets unacknowledged deliveries again, and loses none when it sends an old cursor', async () => {
    const id = await harness.subscribe({ delivery: 'poll', events: ['RECOMMENDATION_CREATED'] })
    const events = await publish(3)
    const lost = await pollUntil(id, 3)
    const again = await poll(id)
    expect(eventsOf(again)).toEqual(events)
    const short = await poll(id, '?limit=2')
    // A cursor acknowledges the deliveries up to it, not those after it.
    expect(eventsOf(await poll(id, `?cursor=${short.next_cursor}`))).toEqual(events.slice(2))
    const late = await poll(id, `?cursor=${lost.next_cursor}`)
    expect(late).toEqual({ items: [], next_cursor: null, done: true })
    expect(await poll(id, `?cursor=${lost.next_cursor}`)).toEqual(late)
    const [delivery] = await harness.deliveries(id)
    expect((await harness.call('POST', `/deliveries/${delivery?.request_id}/resend`)).status).toBe(202)
    // The resent delivery lies before the old cursor but was queued after it; also when the first response is lost.
    for (let time = 0; time < 2; time += 1)
      expect((await poll(id, `?cursor=${again.next_cursor}`)).items).toMatchObject([
        { request_id: delivery?.request_id },
      ])
    expect((await harness.deliveries(id, '?status=pending')).length).toBe(1)
  })

  it('keeps its deliveries when it sends the cursor of another subscription', async () => {
    const subscribe = () => harness.subscribe({ delivery: 'poll', events: ['RECOMMENDATION_CREATED'] })
    const [one, other] = [await subscribe(), await subscribe()]
    const events = await publish(3)
    await pollUntil(other, 3)
    const { next_cursor: foreign } = await pollUntil(one, 3)
    expect(await harness.call('GET', `/webhooks/${other}/poll?cursor=${foreign}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor', errors: [{ pointer: '?cursor' }] },
    })
    expect(eventsOf(await poll(other))).toEqual(events)
    expect(await stats(other)).toMatchObject({ delivered: 0 })
    expect((await poll(one, `?cursor=${foreign}`)).items).toEqual([])
  })

  it('gets tests', async () => {
    const id = await harness.subscribe({ delivery: 'poll', events: ['RECOMMENDATION_CREATED'] })
    await harness.call('POST', `/webhooks/${id}/test`)
    expect((await poll(id)).items).toMatchObject([{ event: 'WEBHOOK_TEST' }])
  })

  it('is refused when the subscription pushes or is disabled, or the cursor is invalid', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url('/pushed'), events: ['RECOMMENDATION_CREATED'] })
    expect((await harness.call('GET', `/webhooks/${id}/poll`)).body).toMatchObject({ code: 'conflict' })
    const polled = await harness.subscribe({ delivery: 'poll', events: ['RECOMMENDATION_CREATED'] })
    expect((await harness.call('GET', `/webhooks/${polled}/poll?cursor=nonsense`)).body).toMatchObject({
      code: 'invalid_cursor',
      errors: [{ pointer: '?cursor' }],
    })
    await harness.call('PATCH', `/webhooks/${polled}`, { status: 'disabled' })
    expect((await harness.call('GET', `/webhooks/${polled}/poll`)).status).toBe(409)
    const stranger = { workspaceId: 'ws_01h455vb4pex5vsknk084sn0zz' }
    expect((await harness.call('GET', `/webhooks/${polled}/poll`, undefined, stranger)).status).toBe(404)
    expect(await harness.call('POST', '/webhooks', { events: [] })).toMatchObject({
      status: 400,
      body: { errors: expect.arrayContaining([{ pointer: '/endpoint', detail: 'is required' }]) },
    })
  })

  it('keeps its pending deliveries when the subscription changes to push and back', async () => {
    const id = await harness.subscribe({ delivery: 'poll', events: ['RECOMMENDATION_CREATED'] })
    const events = await publish(2)
    await pollUntil(id, 2)
    const refused = await harness.call('PATCH', `/webhooks/${id}`, { delivery: 'push' })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/endpoint' }] } })
    await harness.call('PATCH', `/webhooks/${id}`, { delivery: 'push', endpoint: receiver.url('/now') })
    const at = () => receiver.received.filter(({ path }) => path === '/now')
    await eventually(() => at().length === 2)
    expect(new Set(at().map(({ headers }) => headers['x-webhook-event-id']))).toEqual(new Set(events))
    await eventually(async () => (await harness.deliveries(id, '?status=delivered')).length === 2)
    await harness.call('PATCH', `/webhooks/${id}`, { delivery: 'poll' })
    await publish(1)
    await pollUntil(id, 1)
    expect(at()).toHaveLength(2)
  })
})
