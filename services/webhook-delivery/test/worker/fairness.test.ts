import { afterAll, describe, expect, it } from '@jest/globals'
import { type RunningService, startService } from '@wp/service'
import { eventually, neverRespond, respond, startReceiver } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { addBacklog } from '../fixture/backlog.ts'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness({
  RETRY_SCHEDULE_SECONDS: '600',
  HOLD_SCHEDULE_SECONDS: '600',
  ATTEMPT_TIMEOUT_SECONDS: '60',
  LEASE_SECONDS: '120',
})
const receiver = await startReceiver()

afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

const remove = (id: string) => harness.call('DELETE', `/webhooks/${id}`)
const stats = async (id: string) => (await harness.call('GET', `/webhooks/${id}`)).body.data.stats

describe('an endpoint that never responds, with 2,000 due deliveries,', () => {
  it('does not delay the deliveries of another endpoint', async () => {
    const dead = await startReceiver({ responder: neverRespond() })
    const deadId = await harness.subscribe({ endpoint: dead.url(), events: ['RECOMMENDATION_CREATED'] })
    const healthyId = await harness.subscribe({ endpoint: receiver.url('/healthy'), events: ['FORECASTING_FINISHED'] })
    await addBacklog(harness.sql, deadId, 2_000)
    harness.wakeDispatcher()
    await dead.waitFor(1)
    for (let index = 0; index < 8; index += 1) {
      receiver.clear()
      await harness.publish()
      await receiver.waitFor(({ path }) => path === '/healthy')
    }
    // No attempt at the dead endpoint has ended, so none of the others has waited for one.
    const { rows } = await harness.sql.query(
      'SELECT FROM attempts JOIN deliveries USING (request_id) WHERE webhook_id = $1',
      [deadId],
    )
    expect(rows).toEqual([])
    expect(dead.inFlight.peak).toBeLessThanOrEqual(4)
    await remove(deadId)
    await remove(healthyId)
    await dead.close()
  })
})

describe('the in-flight cap', () => {
  it('starts at 4 and grows with success, up to 16', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url('/capped'), events: ['FORECASTING_FAILED'] })
    receiver.holdResponses()
    await addBacklog(harness.sql, id, 200)
    harness.wakeDispatcher()
    await eventually(() => receiver.inFlight.now >= 4)
    await harness.publish('FORECASTING_FAILED')
    await harness.delivery(id, ({ event }) => event === 'FORECASTING_FAILED')
    expect(receiver.inFlight.now).toBe(4)
    receiver.setResponder(respond(200, { delayMs: 20 }), '/capped')
    receiver.releaseResponses()
    await eventually(async () => (await stats(id)).delivered === 201)
    expect(receiver.inFlight.peak).toBeGreaterThan(4)
    expect(receiver.inFlight.peak).toBeLessThanOrEqual(16)
    await remove(id)
  })
})

describe('the circuit breaker', () => {
  it('holds a failing endpoint, probes it once after the hold, and closes with the first success', async () => {
    receiver.setResponder(respond(500), '/broken')
    const id = await harness.subscribe({ endpoint: receiver.url('/broken') })
    await addBacklog(harness.sql, id, 30)
    harness.wakeDispatcher()
    const countAttempts = () => receiver.received.filter(({ path }) => path === '/broken').length
    await untilHeld(id, 1)
    const beforeHold = countAttempts()
    expect(beforeHold).toBeGreaterThanOrEqual(5)
    expect(beforeHold).toBeLessThanOrEqual(8)
    await endHold(id)
    await untilHeld(id, 2)
    expect(countAttempts()).toBe(beforeHold + 1)
    receiver.setResponder(respond(200), '/broken')
    await endHold(id)
    await eventually(async () => (await stats(id)).delivered === 30 - beforeHold - 1)
    expect((await stats(id)).pending).toBe(beforeHold + 1)
    await remove(id)
  })

  /** Waits for the n-th consecutive hold and the end of the attempts that were in flight when it started. */
  const untilHeld = (id: string, holds: number) =>
    eventually(async () => {
      const { rows } = await harness.sql.query(
        `SELECT holds, (SELECT count(*)::int FROM deliveries d WHERE d.webhook_id = e.webhook_id
           AND lease_token IS NOT NULL) AS in_flight FROM endpoints e WHERE webhook_id = $1`,
        [id],
      )
      return rows[0].holds === holds && rows[0].in_flight === 0
    })

  /** Changes the data as if the hold had passed. */
  async function endHold(id: string): Promise<void> {
    await harness.sql.query(`UPDATE endpoints SET held_until = now() - interval '1 second' WHERE webhook_id = $1`, [id])
    harness.wakeDispatcher()
  }

  it('lets a test through during a hold', async () => {
    receiver.setResponder(respond(200), '/mended')
    const id = await harness.subscribe({ endpoint: receiver.url('/mended') })
    await harness.sql.query(`UPDATE endpoints SET held_until = now() + interval '1 hour' WHERE webhook_id = $1`, [id])
    await harness.call('POST', `/webhooks/${id}/test`)
    await harness.delivery(id, ({ status }) => status === 'delivered')
    await remove(id)
  })
})

describe('two dispatchers', () => {
  it('share the deliveries and send none twice', async () => {
    const second: RunningService = await startService(definition, { ...harness.service.env, PORT: '0' })
    const slow = await startReceiver({ responder: respond(200, { delayMs: 5 }) })
    const ids: string[] = []
    slow.holdResponses()
    for (let index = 0; index < 20; index += 1) {
      const id = await harness.subscribe({ endpoint: slow.url(`/${index}`), events: ['RECOMMENDATION_CREATED'] })
      await addBacklog(harness.sql, id, 20)
      ids.push(id)
    }
    harness.wakeDispatcher()
    // Four of each endpoint are more than one process may send to one host, so both have some in flight.
    await eventually(() => slow.inFlight.now === 80)
    slow.releaseResponses()
    await slow.waitFor(400)
    await eventually(async () => {
      const { rows } = await harness.sql.query(
        `SELECT count(*)::int AS pending FROM deliveries WHERE webhook_id = ANY ($1) AND status <> 'delivered'`,
        [ids],
      )
      return rows[0].pending === 0
    })
    expect(slow.received).toHaveLength(400)
    expect(new Set(slow.received.map(({ headers }) => headers['x-webhook-request-id'])).size).toBe(400)
    const shares = await Promise.all([harness.service.url, second.url].map(countDelivered))
    expect(Math.min(...shares)).toBeGreaterThan(0)
    for (const id of ids) await remove(id)
    await second.stop()
    await slow.close()
  })

  async function countDelivered(url: string): Promise<number> {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^webhook_attempts_total\{.*outcome="delivered".*\} (\d+)/m.exec(text)?.[1] ?? 0)
  }
})
