import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { neverRespond, type Receiver, startReceiver } from '@wp/testkit'
import { addBacklog } from '../fixture/backlog.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

describe('failing endpoints that hang', () => {
  let harness: Harness
  let receiver: Receiver
  let dead: Receiver
  beforeAll(async () => {
    harness = await startHarness({ DELIVERY_CONCURRENCY: '8', ATTEMPT_TIMEOUT_SECONDS: '30', LEASE_SECONDS: '40' })
    ;[receiver, dead] = await Promise.all([startReceiver(), startReceiver({ responder: neverRespond() })])
  })
  afterAll(async () => {
    await dead?.close()
    await harness?.stop()
    await receiver?.close()
  })

  it('leave half of the concurrency to healthy endpoints', async () => {
    for (let index = 0; index < 6; index += 1) {
      const id = await harness.subscribe({ endpoint: dead.url(`/${index}`), events: ['FORECASTING_FAILED'] })
      await harness.sql.query('UPDATE endpoints SET consecutive_failures = 1 WHERE webhook_id = $1', [id])
      await addBacklog(harness.sql, id, 10)
    }
    harness.wakeDispatcher()
    await dead.waitFor(4)
    await harness.subscribe({ endpoint: receiver.url('/healthy'), events: ['RECOMMENDATION_CREATED'] })
    await harness.publish('RECOMMENDATION_CREATED')
    await receiver.waitFor(1)
    expect(dead.inFlight.peak).toBe(4)
  })
})
