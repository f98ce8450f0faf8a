import { afterAll, describe, expect, it } from '@jest/globals'
import { respond, startReceiver } from '@wp/testkit'
import { countBlockedEndpoints, countDueDeliveries } from '../../src/store/queue-counts.ts'
import { addBacklog } from '../fixture/backlog.ts'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness({ RETRY_SCHEDULE_SECONDS: '600' })
const receiver = await startReceiver()

afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

const metrics = async () => (await fetch(`${harness.service.url}/metrics`)).text()
const readValue = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

describe('the metrics', () => {
  it('count due, in-flight and blocked deliveries, attempts by result, and the time from event to attempt', async () => {
    const id = await harness.subscribe({ endpoint: receiver.url('/healthy'), events: ['RECOMMENDATION_CREATED'] })
    receiver.holdResponses()
    await harness.publish('RECOMMENDATION_CREATED')
    await receiver.waitFor(1)
    expect(readValue(await metrics(), 'webhook_attempts_in_flight\\{[^}]*\\}')).toBe(1)
    receiver.releaseResponses()
    await harness.delivery(id, ({ status }) => status === 'delivered')
    receiver.setResponder(respond(500), '/healthy')
    await harness.publish('RECOMMENDATION_CREATED')
    await harness.delivery(id, ({ last_status_code }) => last_status_code === 500)
    const text = await metrics()
    expect(readValue(text, 'webhook_attempts_total\\{outcome="delivered",error_kind="none",[^}]*\\}')).toBe(1)
    expect(readValue(text, 'webhook_attempts_total\\{outcome="failed",error_kind="none",[^}]*\\}')).toBe(1)
    expect(readValue(text, 'webhook_event_to_hit_seconds_count\\{[^}]*\\}')).toBe(2)
    expect(text).toMatch(/^webhook_deliveries_due\{.*\} \d/m)
    expect(text).toMatch(/^webhook_endpoints_held\{by="breaker",.*\} \d/m)
  })

  it('count an endpoint as blocked only when it has due deliveries and is held or disabled', async () => {
    const endpoint = receiver.url('/held')
    const [held, disabled, idle] = [
      await harness.subscribe({ endpoint, events: ['FORECASTING_FAILED'] }),
      await harness.subscribe({ endpoint, events: ['FORECASTING_FAILED'] }),
      await harness.subscribe({ endpoint, events: ['FORECASTING_FAILED'] }),
    ]
    const hold = `UPDATE endpoints SET held_until = now() + interval '1 hour' WHERE webhook_id = ANY ($1)`
    await harness.sql.query(hold, [[held, idle]])
    await harness.call('PATCH', `/webhooks/${disabled}`, { status: 'disabled' })
    const before = await countDueDeliveries(harness.sql)
    await addBacklog(harness.sql, held ?? '', 3)
    await addBacklog(harness.sql, disabled ?? '', 2)
    expect(await countBlockedEndpoints(harness.sql)).toEqual({ held: 1, disabled: 1 })
    expect(await countDueDeliveries(harness.sql)).toBe(before + 5)
  })
})
