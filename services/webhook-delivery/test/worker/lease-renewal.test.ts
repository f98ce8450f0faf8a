import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startReceiver } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness(
  { ATTEMPT_TIMEOUT_SECONDS: '4', LEASE_SECONDS: '5' },
  { settings: { attemptTimeoutMs: 60_000 } },
)
const receiver = await startReceiver()

afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

describe('an attempt that takes longer than its lease', () => {
  it('is not repeated while its worker is alive', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url(), events: ['RECOMMENDATION_CREATED'] })
    receiver.holdResponses()
    await harness.publish('RECOMMENDATION_CREATED')
    await receiver.waitFor(1)
    // The third renewal: the lease of the claim has expired by then.
    let leaseEnds = new Set<number>()
    await eventually(async () => {
      const { rows } = await harness.sql.query('SELECT next_attempt_at FROM deliveries WHERE webhook_id = $1', [id])
      leaseEnds = leaseEnds.add(rows[0].next_attempt_at.getTime())
      return leaseEnds.size >= 4
    })
    receiver.releaseResponses()
    expect(await harness.delivery(id, ({ status }) => status === 'delivered')).toMatchObject({ attempt_count: 1 })
    expect(receiver.received).toHaveLength(1)
  })
})
