import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, findFreePort, respond, startMemberProcess, startReceiver } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const endpoints = 50
const events = 40

// The time limit of an attempt and the lease are far above what a busy machine needs for a TLS handshake: an attempt
// that reached its limit would be repeated although the receiver got it, as at-least-once delivery requires.
const harness = await startHarness({ ATTEMPT_TIMEOUT_SECONDS: '60', LEASE_SECONDS: '300' })
const port = await findFreePort()
const member = await startMemberProcess('webhook-delivery', { ...harness.service.env, PORT: String(port) })
const other = { url: `http://127.0.0.1:${port}`, member }
const receiver = await startReceiver()

afterAll(async () => {
  await receiver.close()
  await other.member.stop()
  await harness.stop()
})

/**
 * Returns the number of deliveries a replica has made, from its metrics. Failed attempts are left out: on a busy
 * machine a connection may not be made in time.
 */
async function countDelivered(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = [...text.matchAll(/^webhook_attempts_total\{[^}]*outcome="delivered"[^}]*\} (\d+)/gm)].map(
    ([, count]) => Number(count),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

async function countPending(): Promise<number> {
  const { rows } = await harness.sql.query(`SELECT count(*)::int AS count FROM deliveries WHERE status <> 'delivered'`)
  return rows[0].count
}

describe('two replicas in two processes', () => {
  it('send every delivery once', async () => {
    receiver.setResponder(async (context) => respond(200, { delayMs: Math.random() * 20 })(context))
    // In flight during hundreds of claims.
    receiver.setResponder(respond(200, { delayMs: 300 }), '/endpoint-0')
    for (let index = 0; index < endpoints; index += 1)
      await harness.subscribe({ endpoint: receiver.url(`/endpoint-${index}`), events: ['RECOMMENDATION_CREATED'] })
    for (let index = 0; index < events; index += 1) await harness.publish('RECOMMENDATION_CREATED')
    await eventually(() => receiver.received.length >= endpoints * events)
    // A second attempt of a delivery would be made before its row is `delivered`.
    await eventually(async () => (await countPending()) === 0)

    const attemptsById = Map.groupBy(receiver.received, ({ headers }) => headers['x-webhook-request-id'])
    expect([...attemptsById.values()].filter((attempts) => attempts.length !== 1)).toEqual([])
    const pairs = new Set(receiver.received.map(({ path, headers }) => `${path} ${headers['x-webhook-event-id']}`))
    expect(pairs.size).toBe(endpoints * events)
    const shares = [await countDelivered(harness.service.url), await countDelivered(other.url)]
    expect(Math.min(...shares)).toBeGreaterThan(0)
    expect(shares[0]).toBe(endpoints * events - (shares[1] ?? 0))
  })
})
