import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Receiver, startReceiver, startTestFleet, type TestFleet, testAuthority } from '@wp/testkit'

let fleet: TestFleet
let receiver: Receiver

beforeAll(async () => {
  fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth', 'webhook-delivery'],
    outbound: { OUTBOUND_CA_FILE: testAuthority().file },
    env: { 'webhook-delivery': { ATTEMPT_TIMEOUT_SECONDS: '2', LEASE_SECONDS: '3' } },
  })
  receiver = await startReceiver()
}, 60_000)

afterAll(async () => {
  await fleet?.stop()
  await receiver?.close()
})

describe('a worker that is killed while the receiver holds its answer', () => {
  it('is followed by one that sends the same bytes under the same request id', async () => {
    const as = await fleet.token(fleet.owner)
    const send = async (method: string, path: string, body?: unknown) =>
      (await fleet.request(method, `/v1/webhooks${path}`, { as, ...(body === undefined ? {} : { body }) })).body.data
    const { webhook_id: id } = await send('POST', '/webhooks', {
      endpoint: receiver.url(),
      events: ['API_KEY_CREATED'],
      secret: 's',
    })
    receiver.holdResponses()
    const key = await fleet.request('POST', '/v1/auth/api-key', {
      as: await fleet.userToken(fleet.owner.ownerId),
      headers: { 'x-workspace-key': fleet.owner.workspaceId },
    })
    expect(key.status).toBe(201)
    await receiver.waitFor(1)
    await fleet.member('webhook-delivery').kill()
    receiver.releaseResponses()
    await fleet.restart('webhook-delivery')
    const [first, second] = await receiver.waitFor(2, { timeoutMs: 10_000 })
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers['x-webhook-request-id']).toBe(first?.headers['x-webhook-request-id'])
    expect([first, second].map((request) => request?.headers['x-webhook-attempt'])).toEqual(['1', '2'])
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_900)
    const [delivery] = await send('GET', `/webhooks/${id}/deliveries`)
    const { attempts } = await send('GET', `/deliveries/${delivery.request_id}`)
    expect(attempts[0]).toMatchObject({ number: 1, outcome: 'failed', error_kind: 'lost' })
  }, 40_000)
})
