import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  eventually,
  findFreePort,
  type Member,
  type Receiver,
  respond,
  startMemberProcess,
  startReceiver,
} from '@wp/testkit'
import { type Harness, startHarness } from '../fixture/harness.ts'

const endpoints = 50
const events = 40

let harness: Harness
let other: { url: string; member: Member }
let receiver: Receiver

beforeAll(async () => {
  harness = await startHarness({ ATTEMPT_TIMEOUT_SECONDS: '5', LEASE_SECONDS: '6' })
  const port = await findFreePort()
  const member = await startMemberProcess('webhook-delivery', { ...harness.service.env, PORT: String(port) })
  other = { url: `http://127.0.0.1:${port}`, member }
  receiver = await startReceiver()
}, 30_000)

afterAll(async () => {
  await other?.member.stop()
  await harness?.stop()
  await receiver?.close()
})

/** How many attempts a replica has made, as it says itself. */
async function attemptsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = [...text.matchAll(/^webhook_attempts_total\{[^}]*\} (\d+)/gm)].map(([, count]) => Number(count))
  return counts.reduce((sum, count) => sum + count, 0)
}

describe('two replicas, one of them a process of its own', () => {
  it('send every delivery once, counted where they arrive', async () => {
    receiver.setResponder(async (exchange) => respond(200, { delayMs: Math.random() * 20 })(exchange))
    // Under way while hundreds of claims pass by.
    receiver.setResponder(respond(200, { delayMs: 300 }), '/endpoint-0')
    for (let index = 0; index < endpoints; index += 1)
      await harness.subscribe({ endpoint: receiver.url(`/endpoint-${index}`), events: ['PLAN_CHANGED'] })
    for (let index = 0; index < events; index += 1) await harness.publish('PLAN_CHANGED')
    await eventually(() => receiver.received.length >= endpoints * events, { timeoutMs: 20_000 })
    // What were sent again would be sent when its lease is over at the latest; nothing is left that could be.
    await eventually(async () => {
      const { rows } = await harness.sql.query(`SELECT FROM deliveries WHERE status <> 'delivered'`)
      return rows.length === 0
    })

    const times = Map.groupBy(receiver.received, ({ headers }) => headers['x-webhook-request-id'])
    expect([...times.values()].filter((all) => all.length !== 1)).toEqual([])
    const pairs = new Set(receiver.received.map(({ path, headers }) => `${path} ${headers['x-webhook-event-id']}`))
    expect(pairs.size).toBe(endpoints * events)
    expect(receiver.received).toHaveLength(endpoints * events)
    const shares = [await attemptsOf(harness.service.url), await attemptsOf(other.url)]
    expect(Math.min(...shares)).toBeGreaterThan(0)
    expect(shares[0]).toBe(endpoints * events - (shares[1] ?? 0))
  }, 40_000)
})
