import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startReceiver, startTestFleet, testAuthority } from '@wp/testkit'
import { Client } from 'pg'

const fleet = await startTestFleet({
  processes: ['webhook-delivery'],
  services: ['auth', 'webhook-delivery'],
  outbound: { OUTBOUND_CA_FILE: testAuthority().file },
  env: { 'webhook-delivery': { ATTEMPT_TIMEOUT_SECONDS: '60', LEASE_SECONDS: '300' } },
})
const receiver = await startReceiver()

afterAll(async () => {
  await fleet.stop()
  await receiver.close()
})

const as = await fleet.token(fleet.owner)
const send = async (method: string, path: string, body?: unknown) =>
  (await fleet.request(method, `/v1/webhooks${path}`, { as, ...(body === undefined ? {} : { body }) })).body.data
const { webhook_id: id } = await send('POST', '/webhooks', {
  endpoint: receiver.url(),
  events: ['API_KEY_CREATED'],
  secret: 's',
})

/** Emits an event and waits for its request, which is not answered yet. @returns the request id */
async function emit(): Promise<string> {
  receiver.clear()
  receiver.holdResponses()
  const key = await fleet.request('POST', '/v1/auth/api-key', {
    as: await fleet.userToken(fleet.owner.ownerId),
    headers: { 'x-workspace-key': fleet.owner.workspaceId },
  })
  expect(key.status).toBe(201)
  const [request] = await receiver.waitFor(1)
  return String(request?.headers['x-webhook-request-id'])
}

describe('a worker that is killed during an attempt', () => {
  it('is replaced by one that sends the same bytes under the same request id, long before the lease would expire', async () => {
    await emit()
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

describe('a worker that is killed after a response, before its record', () => {
  it('records it when it has started again, and does not send the delivery again', async () => {
    const requestId = await emit()
    await using sql = await lockDelivery(requestId)
    receiver.releaseResponses()
    const recording = await eventually(sql.findWaitingSession)
    await fleet.member('webhook-delivery').kill()
    await sql.endSession(recording) // otherwise it would record the response
    await sql.unlock()
    await fleet.restart('webhook-delivery')
    const delivery = await eventually(async () => {
      const detail = await send('GET', `/deliveries/${requestId}`)
      return detail.status === 'delivered' ? detail : undefined
    })
    expect(delivery.attempts).toEqual([expect.objectContaining({ number: 1, outcome: 'delivered', status_code: 200 })])
    expect(receiver.received).toHaveLength(1)
  })
})

/** Locks a delivery, so that its attempt cannot be recorded. */
async function lockDelivery(requestId: string) {
  const client = new Client({ connectionString: fleet.databases.get('webhook-delivery')?.adminUrl })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM deliveries WHERE request_id = $1 FOR UPDATE', [requestId])
  return {
    async findWaitingSession(): Promise<number | undefined> {
      const { rows } = await client.query<{ pid: number }>(
        'SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
      )
      return rows[0]?.pid
    },
    async endSession(pid: number) {
      await client.query('SELECT pg_terminate_backend($1, 10000)', [pid])
    },
    unlock: () => client.query('ROLLBACK'),
    [Symbol.asyncDispose]: () => client.end(),
  }
}
