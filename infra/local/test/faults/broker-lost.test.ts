import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, findFreePort, type Nats, startNats } from '@wp/testkit'
import {
  deliveriesTo,
  type FaultFleet,
  startFaultFleet,
  waitForDeliveries,
  withoutDuplicates,
} from './fixture/fault-fleet.ts'

let faultFleet: FaultFleet
let nats: Nats | undefined
let port: number
beforeAll(async () => {
  port = await findFreePort()
  faultFleet = await startFaultFleet({ natsUrl: `nats://127.0.0.1:${port}` })
})
afterAll(async () => {
  await faultFleet?.stop()
  await nats?.stop()
})

const countInOutbox = () => faultFleet.countInOutbox('auth', 'API_KEY_CREATED')
const countOnStream = () => faultFleet.countOnStream('auth', 'API_KEY_CREATED')

describe('a fleet that starts while the broker is unavailable', () => {
  let run: string
  let keys: string[]

  it('serves requests and runs jobs', async () => {
    expect(await faultFleet.send('GET', '/v1/auth/me')).toMatchObject({ principal_type: 'service_principal' })
    await faultFleet.subscribe('/hook', ['FORECASTING_FINISHED', 'API_KEY_CREATED'])
    run = await faultFleet.startForecast()
    keys = await faultFleet.createKeys(20)
    await expect(faultFleet.waitForRun(run)).resolves.toMatchObject({ status: 'finished' })
    expect(faultFleet.receiver.received).toEqual([])
  })

  it('delivers every event once when the broker becomes available', async () => {
    nats = await startNats({ port })
    const told = await waitForDeliveries(faultFleet.receiver, '/hook', [run, ...keys])
    expect(told).toHaveLength(21)
    expect(withoutDuplicates(told)).toHaveLength(21)
    expect(await countOnStream()).toBe(await countInOutbox())
  })
})

describe('a broker that loses its storage', () => {
  it('loses no event: 150 unconsumed events are delivered once, and none to a later subscription', async () => {
    await faultFleet.subscribe('/early', ['API_KEY_CREATED'])
    const delivered = await faultFleet.createKeys(20)
    const before = await waitForDeliveries(faultFleet.receiver, '/early', delivered)

    await faultFleet.fleet.member('webhook-delivery').stop()
    const waiting = await faultFleet.createKeys(150)
    const all = await countInOutbox()
    await eventually(async () => (await countOnStream()) === all, { intervalMs: 100 })
    expect(deliveriesTo(faultFleet.receiver, '/early')).toEqual(before)

    await nats?.kill('SIGTERM')
    await faultFleet.fleet.restart('webhook-delivery')
    await faultFleet.subscribe('/late', ['API_KEY_CREATED'])
    await nats?.restart({ wipe: true })
    await waitForDeliveries(faultFleet.receiver, '/early', waiting)

    const [last = ''] = await faultFleet.createKeys(1)
    const late = await waitForDeliveries(faultFleet.receiver, '/late', [last])
    const early = await waitForDeliveries(faultFleet.receiver, '/early', [last])
    // Events can overtake each other, so wait until every republished event has been handled.
    const handled = 'SELECT count(*)::integer AS handled FROM platform.inbox'
    // The key of the other workspace, and the end of the forecast.
    const otherEvents = 2
    const everything = all + 1 + otherEvents
    await eventually(
      async () => (await faultFleet.query<{ handled: number }>('webhook-delivery', handled))[0]?.handled === everything,
    )
    expect(late.map(({ id }) => id)).toEqual([last])
    const once = withoutDuplicates(early)
    expect(once.map(({ id }) => id).sort()).toEqual([...delivered, ...waiting, last].sort())
    expect(once.slice(0, 20)).toEqual(before)
    expect(await countOnStream()).toBe(all + 1)
  })
})
