import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findFreePort, type Nats, startNats } from '@wp/testkit'
import { type FaultFleet, startFaultFleet, waitForDeliveries, withoutDuplicates } from './fixture/fault-fleet.ts'

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
    expect(await faultFleet.countOnStream('auth', 'API_KEY_CREATED')).toBe(
      await faultFleet.countInOutbox('auth', 'API_KEY_CREATED'),
    )
  })
})
