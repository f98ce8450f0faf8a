import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { neverRespond, type Receiver, startReceiver } from '@wp/testkit'
import { computeClaimBudget } from '../../src/delivery/claim-budget.ts'
import { addBacklog } from '../fixture/backlog.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

describe('the room of a process', () => {
  it('is shared so that suspects never hold more than half of it, at any size', () => {
    for (const concurrency of [1, 2, 3, 8, 50, 512]) {
      let failing = 0
      // Nothing but suspects is there to be taken, at most 200 by a claim.
      for (let turn = 0; turn < 100; turn += 1) {
        const budget = computeClaimBudget({ concurrency, free: concurrency - failing, failing })
        if (budget.includesFailing) failing += Math.min(budget.free, 200)
      }
      expect(failing).toBeGreaterThan(0)
      expect(failing).toBeLessThanOrEqual(Math.ceil(concurrency / 2))
      expect(computeClaimBudget({ concurrency, free: concurrency - failing, failing })).toEqual({
        free: concurrency - failing,
        includesFailing: false,
      })
    }
  })
})

describe('endpoints that failed before and hang now', () => {
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

  it('leave half of the room to first attempts', async () => {
    for (let index = 0; index < 6; index += 1) {
      const id = await harness.subscribe({ endpoint: dead.url(`/${index}`), events: ['FORECASTING_FAILED'] })
      await harness.sql.query('UPDATE endpoints SET consecutive_failures = 1 WHERE webhook_id = $1', [id])
      await addBacklog(harness.sql, id, 10)
    }
    harness.wakeDispatcher()
    await dead.waitFor(4)
    await harness.subscribe({ endpoint: receiver.url('/well'), events: ['RECOMMENDATION_CREATED'] })
    await harness.publish('RECOMMENDATION_CREATED')
    await receiver.waitFor(1)
    expect(dead.inFlight.peak).toBe(4)
  })
})
