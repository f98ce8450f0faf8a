import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, neverRespond, type Receiver, startReceiver } from '@wp/testkit'
import { addBacklog, addEndpoint } from '../fixture/backlog.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

describe('failing endpoints that hang', () => {
  let harness: Harness
  let receiver: Receiver
  let dead: Receiver
  beforeAll(async () => {
    harness = await startHarness({ DELIVERY_CONCURRENCY: '16', ATTEMPT_TIMEOUT_SECONDS: '60', LEASE_SECONDS: '120' })
    ;[receiver, dead] = await Promise.all([startReceiver(), startReceiver({ responder: neverRespond() })])
  })
  afterAll(async () => {
    await dead?.close()
    await harness?.stop()
    await receiver?.close()
  })

  it('leave half of the concurrency to healthy endpoints', async () => {
    for (const workspaceId of ['ws_a', 'ws_b', 'ws_c', 'ws_d'])
      for (let index = 0; index < 6; index += 1) {
        const id = await addEndpoint(harness.sql, workspaceId, dead.url(`/${workspaceId}/${index}`))
        await harness.sql.query('UPDATE endpoints SET consecutive_failures = 1 WHERE webhook_id = $1', [id])
        await addBacklog(harness.sql, id, 10)
      }
    harness.wakeDispatcher()
    await dead.waitFor(4)
    await harness.subscribe({ endpoint: receiver.url('/healthy'), events: ['RECOMMENDATION_CREATED'] })
    for (let index = 0; index < 5; index += 1) {
      receiver.clear()
      await harness.publish('RECOMMENDATION_CREATED')
      await receiver.waitFor(1)
    }
    // With all four workspaces waiting, only one of the eight slots for failing endpoints stays free.
    await eventually(() => dead.inFlight.now >= 7)
    expect(dead.inFlight.peak).toBeLessThanOrEqual(8)
  })
})
