import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startReceiver, startTestFleet, testAuthority } from '@wp/testkit'

const fleet = await startTestFleet({
  mode: 'processes',
  services: ['auth', 'webhook-delivery'],
  outbound: { OUTBOUND_CA_FILE: testAuthority().file },
  env: { 'webhook-delivery': { ATTEMPT_TIMEOUT_SECONDS: '60', LEASE_SECONDS: '300' } },
})
const receiver = await startReceiver()

afterAll(async () => {
  await fleet.stop()
  await receiver.close()
})

describe('a worker that is killed during an attempt', () => {
  it('is replaced by one that sends the same bytes under the same request id, long before the lease would expire', async () => {
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
    const [first, second] = await receiver.waitFor(2)
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers['x-webhook-request-id']).toBe(first?.headers['x-webhook-request-id'])
    expect([first, second].map((request) => request?.headers['x-webhook-attempt'])).toEqual(['1', '2'])
    const [delivery] = await send('GET', `/webhooks/${id}/deliveries`)
    const attempts = await eventually(async () => {
      const detail = await send('GET', `/deliveries/${delivery.request_id}`)
      return detail.attempts.length >= 2 ? detail.attempts : undefined
    })
    expect(attempts[0]).toMatchObject({ number: 1, outcome: 'failed', error_kind: 'lost' })
    // The lost attempt ended when its worker was found dead.
    expect(Date.parse(attempts[1].started_at)).toBeGreaterThanOrEqual(Date.parse(attempts[0].finished_at))
  })
})
