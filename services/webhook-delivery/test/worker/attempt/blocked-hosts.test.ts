import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Lookup } from '@wp/outbound'
import { eventually } from '@wp/testkit'
import { type Harness, startHarness } from '../../fixture/harness.ts'

const lookup: Lookup = async (name) => {
  if (name === 'inside.example') return [{ address: '10.1.2.3', family: 4 }]
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
}

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({}, { lookup })
})
afterAll(() => harness.stop())

const withoutTimes = (name: string, value: unknown): unknown =>
  ['id', 'started_at', 'finished_at', 'dns_ms', 'total_ms'].includes(name) ? undefined : value

/** Sends a test event. Returns the warnings of the subscription and the delivery, without what differs by time. */
async function sendTest(host: string) {
  const created = await harness.call('POST', '/webhooks', { events: ['*'], endpoint: 'https://missing.example/' })
  const { webhook_id: id } = created.body.data
  const endpoint = `https://${host}/`
  const { status, body } = await harness.call('PATCH', `/webhooks/${id}`, { endpoint })
  // An address itself is refused on input, so it can only have been stored before the rules forbade it.
  if (status === 400)
    await harness.sql.query('UPDATE subscriptions SET endpoint = $1 WHERE webhook_id = $2', [endpoint, id])
  const { request_id } = (await harness.call('POST', `/webhooks/${id}/test`)).body.data
  const delivery = await eventually(async () => {
    const detail = await harness.detail(request_id)
    return detail.status === 'failed' ? detail : undefined
  })
  const text = (value: unknown) => JSON.stringify(value ?? null, withoutTimes).replaceAll(host, '<host>')
  const shown = { attempts: delivery.attempts, last_error_kind: delivery.last_error_kind }
  return { status, warnings: text(body.data?.warnings), delivery: text(shown) }
}

it('a test delivery has the same answer for every host that may not be called', async () => {
  const missing = await sendTest('missing.example')
  const inside = await sendTest('inside.example')
  const literal = await sendTest('10.1.2.3')
  expect(inside).toEqual(missing)
  expect(missing.status).toBe(200)
  expect(missing.warnings).toContain('<host> does not resolve to a public address')
  expect(missing.delivery).toContain('"error_kind":"blocked_address"')
  expect(literal).toEqual({ status: 400, warnings: 'null', delivery: missing.delivery })
})
