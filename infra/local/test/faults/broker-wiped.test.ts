import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, type Nats, startNats } from '@wp/testkit'
import { openWorld, toldUnder, untilToldOf, type World, withoutRepeats } from './fixture/world.ts'

let world: World
let nats: Nats
beforeAll(async () => {
  nats = await startNats()
  world = await openWorld({ natsUrl: nats.url })
}, 60_000)
afterAll(async () => {
  await world?.stop()
  await nats?.stop()
})

describe('a broker that loses what it stored', () => {
  it('costs no event: the 200 nobody had consumed arrive, none twice, none at who subscribed later', async () => {
    await world.subscribe('/early', ['API_KEY_CREATED'])
    const delivered = await world.createKeys(20)
    const before = await untilToldOf(world.receiver, '/early', delivered)

    await world.fleet.member('webhook-delivery').stop()
    const waiting = await world.createKeys(200)
    // One more than these: the key of the seed, from before any subscription.
    const all = await world.inOutbox('auth', 'API_KEY_CREATED')
    expect(all).toBe(221)
    const ofTheStranger = 1
    await eventually(async () => (await world.onStream('auth', 'API_KEY_CREATED')) === all, { timeoutMs: 10_000 })
    expect(toldUnder(world.receiver, '/early')).toEqual(before)

    await nats.kill('SIGTERM')
    await world.fleet.restart('webhook-delivery')
    await world.subscribe('/late', ['API_KEY_CREATED'])
    await nats.restart({ wipe: true })
    await untilToldOf(world.receiver, '/early', waiting)

    const [last = ''] = await world.createKeys(1)
    const late = await untilToldOf(world.receiver, '/late', [last])
    const early = await untilToldOf(world.receiver, '/early', [last])
    // Events overtake each other a little: all that was published again has been looked at.
    const handled = `SELECT count(*)::integer AS handled FROM platform.inbox`
    const everything = all + 1 + ofTheStranger
    await eventually(
      async () => (await world.query<{ handled: number }>('webhook-delivery', handled))[0]?.handled === everything,
    )
    expect(late.map(({ id }) => id)).toEqual([last])
    const once = withoutRepeats(early)
    expect(once.map(({ id }) => id).sort()).toEqual([...delivered, ...waiting, last].sort())
    expect(once.slice(0, 20)).toEqual(before)
    expect(await world.onStream('auth', 'API_KEY_CREATED')).toBe(all + 1)
  }, 30_000)
})
