import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort, type Nats, startNats } from '@wp/testkit'
import { openWorld, untilToldOf, type World, withoutRepeats } from './fixture/world.ts'

let world: World
let nats: Nats | undefined
let port: number
beforeAll(async () => {
  port = await freePort()
  world = await openWorld({ natsUrl: `nats://127.0.0.1:${port}` })
}, 60_000)
afterAll(async () => {
  await world?.stop()
  await nats?.stop()
})

describe('a fleet that was started while the broker was away', () => {
  let run: string
  let keys: string[]

  it('serves at its edge, keeps what is asked of it, and works off what takes long', async () => {
    expect(await world.send('GET', '/v1/auth/me')).toMatchObject({ principal_type: 'service_principal' })
    await world.subscribe('/hook', ['FORECASTING_FINISHED', 'API_KEY_CREATED'])
    run = await world.forecast()
    keys = await world.createKeys(20)
    await expect(world.ended(run)).resolves.toMatchObject({ status: 'finished' })
    expect(world.receiver.received).toEqual([])
  })

  it('delivers all of it, each once, when the broker comes', async () => {
    nats = await startNats({ port })
    const told = await untilToldOf(world.receiver, '/hook', [run, ...keys])
    expect(told).toHaveLength(21)
    expect(withoutRepeats(told)).toHaveLength(21)
    expect(await world.onStream('auth', 'API_KEY_CREATED')).toBe(await world.inOutbox('auth', 'API_KEY_CREATED'))
  })
})
