import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startNats } from '@wp/testkit'
import { deliveriesTo, startFaultFleet, waitForDeliveries, withoutDuplicates } from './fixture/fault-fleet.ts'

const nats = await startNats()
const faultFleet = await startFaultFleet({ natsUrl: nats.url })
afterAll(async () => {
  await faultFleet.stop()
  await nats.stop()
})

describe('a broker that loses its storage', () => {
  it('loses no event: 150 unconsumed events are delivered once, and none to a later subscription', async () => {
    await faultFleet.subscribe('/early', ['API_KEY_CREATED'])
    const delivered = await faultFleet.createKeys(20)
    const before = await waitForDeliveries(faultFleet.receiver, '/early', delivered)

    await faultFleet.fleet.member('webhook-delivery').stop()
    const waiting = await faultFleet.createKeys(150)
    // The seeding created one more key, before any subscription.
    const all = await faultFleet.countInOutbox('auth', 'API_KEY_CREATED')
    expect(all).toBe(171)
    const otherWorkspaceEvents = 1
    await eventually(async () => (await faultFleet.countOnStream('auth', 'API_KEY_CREATED')) === all, {
      intervalMs: 100,
    })
    expect(deliveriesTo(faultFleet.receiver, '/early')).toEqual(before)

    await nats.kill('SIGTERM')
    await faultFleet.fleet.restart('webhook-delivery')
    await faultFleet.subscribe('/late', ['API_KEY_CREATED'])
    await nats.restart({ wipe: true })
    await waitForDeliveries(faultFleet.receiver, '/early', waiting)

    const [last = ''] = await faultFleet.createKeys(1)
    const late = await waitForDeliveries(faultFleet.receiver, '/late', [last])
    const early = await waitForDeliveries(faultFleet.receiver, '/early', [last])
    // Events can overtake each other, so wait until every republished event has been handled.
    const handled = `SELECT count(*)::integer AS handled FROM platform.inbox`
    const everything = all + 1 + otherWorkspaceEvents
    await eventually(
      async () => (await faultFleet.query<{ handled: number }>('webhook-delivery', handled))[0]?.handled === everything,
    )
    expect(late.map(({ id }) => id)).toEqual([last])
    const once = withoutDuplicates(early)
    expect(once.map(({ id }) => id).sort()).toEqual([...delivered, ...waiting, last].sort())
    expect(once.slice(0, 20)).toEqual(before)
    expect(await faultFleet.countOnStream('auth', 'API_KEY_CREATED')).toBe(all + 1)
  })
})
