import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type RunningService, startService } from '@wp/service'
import { eventually, neverRespond, type Receiver, respond, startReceiver } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { addBacklog } from '../fixture/backlog.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

let harness: Harness
let receiver: Receiver

beforeAll(async () => {
  harness = await startHarness({ RETRY_SCHEDULE_SECONDS: '600', HOLD_SCHEDULE_SECONDS: '1' })
  receiver = await startReceiver()
})

afterAll(async () => {
  await harness?.stop()
  await receiver?.close()
})

const remove = (id: string) => harness.call('DELETE', `/webhooks/${id}`)

describe('an endpoint that hangs, with thousands of deliveries due', () => {
  it('delays nobody else', async () => {
    const dead = await startReceiver({ responder: neverRespond() })
    const deadId = await harness.subscribe({ endpoint: dead.url(), events: ['PLAN_CHANGED'] })
    const healthyId = await harness.subscribe({ endpoint: receiver.url('/healthy'), events: ['FORECASTING_FINISHED'] })
    await addBacklog(harness.sql, deadId, 10_000)
    harness.bus.wake('webhook-delivery', 'deliveries')
    await dead.waitFor(1)
    const waits: number[] = []
    for (let index = 0; index < 20; index += 1) {
      receiver.clear()
      const began = performance.now()
      await harness.publish()
      await receiver.waitFor(({ path }) => path === '/healthy')
      waits.push(performance.now() - began)
    }
    const median = waits.sort((a, b) => a - b)[10]
    // An attempt at the dead endpoint takes 1 s here; whoever waited for one would show it.
    expect(median).toBeLessThan(500)
    expect(dead.inFlight.peak).toBeLessThanOrEqual(4)
    await remove(deadId)
    await remove(healthyId)
    await dead.close()
  })
})

describe('the in-flight cap', () => {
  it('begins at 4 and grows with success, never beyond 16', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url('/capped'), events: ['INVOICE_ISSUED'] })
    receiver.holdResponses()
    await addBacklog(harness.sql, id, 200)
    harness.bus.wake('webhook-delivery', 'deliveries')
    await eventually(() => receiver.inFlight.now >= 4)
    await harness.publish('INVOICE_ISSUED')
    expect((await harness.deliveries(id, '?event=INVOICE_ISSUED&limit=1')).length).toBeLessThanOrEqual(1)
    expect(receiver.inFlight.now).toBe(4)
    receiver.setResponder(respond(200, { delayMs: 20 }), '/capped')
    receiver.releaseResponses()
    await eventually(
      async () => {
        const { body } = await harness.call('GET', `/webhooks/${id}`)
        return body.data.stats.delivered === 201
      },
      { timeoutMs: 15_000 },
    )
    expect(receiver.inFlight.peak).toBeGreaterThan(4)
    expect(receiver.inFlight.peak).toBeLessThanOrEqual(16)
    await remove(id)
  })
})

describe('the breaker', () => {
  it('holds a failing endpoint, sends one probe when the hold is over, and opens with the first success', async () => {
    receiver.setResponder(respond(500), '/broken')
    const id = await harness.subscribe({ endpoint: receiver.url('/broken') })
    await addBacklog(harness.sql, id, 30)
    harness.bus.wake('webhook-delivery', 'deliveries')
    const attempts = () => receiver.received.filter(({ path }) => path === '/broken')
    await eventually(async () => (await holdsOf(id)) === 1)
    const beforeHold = attempts().length
    expect(beforeHold).toBeGreaterThanOrEqual(5)
    expect(beforeHold).toBeLessThanOrEqual(8)
    await eventually(async () => (await holdsOf(id)) === 2)
    expect(attempts()).toHaveLength(beforeHold + 1)
    const [last, probe] = attempts().slice(-2)
    expect((probe?.at ?? 0) - (last?.at ?? 0)).toBeGreaterThanOrEqual(950)
    receiver.setResponder(respond(200), '/broken')
    const { body } = await eventually(async () => {
      const answer = await harness.call('GET', `/webhooks/${id}`)
      return answer.body.data.stats.delivered === 30 - beforeHold - 1 ? answer : undefined
    })
    expect(body.data.stats.pending).toBe(beforeHold + 1)
    await remove(id)
  })

  const holdsOf = async (id: string): Promise<number> => {
    const { rows } = await harness.sql.query('SELECT holds FROM endpoints WHERE webhook_id = $1', [id])
    return rows[0]?.holds
  }

  it('lets a test through at once', async () => {
    receiver.setResponder(respond(200), '/mended')
    const id = await harness.subscribe({ endpoint: receiver.url('/mended') })
    await harness.sql.query(`UPDATE endpoints SET held_until = now() + interval '1 hour' WHERE webhook_id = $1`, [id])
    await harness.call('POST', `/webhooks/${id}/test`)
    await harness.delivery(id, ({ status }) => status === 'delivered')
    await remove(id)
  })
})

describe('two workers', () => {
  it('share the work and send nothing twice', async () => {
    const second: RunningService = await startService(definition, { ...harness.service.env, PORT: '0' })
    const slow = await startReceiver({ responder: respond(200, { delayMs: 5 }) })
    const ids: string[] = []
    for (let index = 0; index < 10; index += 1) {
      const id = await harness.subscribe({ endpoint: slow.url(`/${index}`), events: ['PLAN_CHANGED'] })
      await addBacklog(harness.sql, id, 40)
      ids.push(id)
    }
    harness.bus.wake('webhook-delivery', 'deliveries')
    await slow.waitFor(400, { timeoutMs: 15_000 })
    await eventually(async () => {
      const { rows } = await harness.sql.query(
        `SELECT count(*)::int AS left FROM deliveries WHERE webhook_id = ANY ($1) AND status <> 'delivered'`,
        [ids],
      )
      return rows[0].left === 0
    })
    expect(slow.received).toHaveLength(400)
    expect(new Set(slow.received.map(({ headers }) => headers['x-webhook-request-id'])).size).toBe(400)
    const shares = await Promise.all([harness.service.url, second.url].map(attemptsOf))
    expect(Math.min(...shares)).toBeGreaterThan(0)
    for (const id of ids) await remove(id)
    await second.stop()
    await slow.close()
  })

  async function attemptsOf(url: string): Promise<number> {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^webhook_attempts_total\{.*outcome="delivered".*\} (\d+)/m.exec(text)?.[1] ?? 0)
  }
})
