import { afterAll, describe, expect, it } from '@jest/globals'
import { verifyWebhook } from '@wp/client'
import { eventually, respond, startReceiver, startTestFleet } from '@wp/testkit'
import { createProgram, type RunningProgram } from './fixture/program.ts'
import { startTcpProxy } from './fixture/tcp-proxy.ts'

const fleet = await startTestFleet({ services: ['auth', 'webhook-delivery'] })
const receiver = await startReceiver({ tls: 'none' })
const edge = await startTcpProxy(Number(new URL(fleet.baseUrl).port))
const local = await startTcpProxy(receiver.port)
const wp = await createProgram(`http://127.0.0.1:${edge.port}`, { WP_API_KEY: fleet.owner.apiKey })
afterAll(async () => {
  await wp.close()
  edge.close()
  local.close()
  await receiver.close()
  await fleet.stop()
})

const path = '/v1/webhooks/webhooks'
const as = () => fleet.owner.apiKey

/** Starts `listen` and returns it with the id of its subscription. */
async function startListening(...flags: string[]): Promise<{ program: RunningProgram; webhookId: string }> {
  const program = wp.start(['webhooks', 'listen', `127.0.0.1:${local.port}/hooks`, ...flags])
  await program.until('Signing secret: ')
  const [webhookId = ''] = /wh_\w+/.exec(program.stderr()) ?? []
  return { program, webhookId }
}

/** Sends a test event to the subscription, past the proxy. Returns the request id of the delivery. */
async function sendEvent(webhookId: string): Promise<string> {
  const { status, body } = await fleet.request('POST', `${path}/${webhookId}/test`, { as: as() })
  expect(status).toBe(202)
  return body.data.request_id
}

const received = (requestId: string) =>
  receiver.received.filter(({ headers }) => headers['x-webhook-request-id'] === requestId)

async function subscriptions(): Promise<unknown[]> {
  return (await fleet.request('GET', path, { as: as() })).body.data
}

describe('wp webhooks listen', () => {
  it('forwards every delivery signed through ten cuts, and deletes its subscription on SIGINT', async () => {
    receiver.clear()
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    const { program, webhookId } = await startListening('--json', '--secret', secret)
    const requestIds: string[] = []
    let repetitions = 0
    const cuts = [
      async () => {
        edge.loseNextResponse()
        await eventually(() => edge.cuts > before)
        requestIds.push(await sendEvent(webhookId))
      },
      async () => {
        local.loseNextResponse()
        repetitions += 1
        requestIds.push(await sendEvent(webhookId))
      },
      async () => {
        edge.goDown()
        requestIds.push(await sendEvent(webhookId))
        await eventually(() => edge.cuts >= before + 2)
        edge.comeUp()
      },
      async () => {
        const cutsBefore = local.cuts
        local.goDown()
        requestIds.push(await sendEvent(webhookId), await sendEvent(webhookId))
        await eventually(() => local.cuts >= cutsBefore + 2)
        local.comeUp()
      },
      async () => {
        requestIds.push(await sendEvent(webhookId))
        edge.loseNextResponse() // of the poll that returns the delivery, or of the one that acknowledges it
        await eventually(() => edge.cuts > before)
      },
    ]
    let before = 0
    for (const cut of [...cuts, ...cuts]) {
      before = edge.cuts
      await cut()
      // Printed once the receiver has answered: the next cut must not lose the answer to a repetition.
      for (const requestId of requestIds) await program.until(requestId)
    }
    expect(edge.cuts + local.cuts).toBeGreaterThanOrEqual(10)
    await eventually(() => program.stdout().trim().split('\n').length === requestIds.length)

    program.signal('SIGINT')
    const { code, stdout, stderr } = await program.ended
    expect({ code, last: stderr.trim().split('\n').at(-1) }).toEqual({ code: 0, last: `Deleted ${webhookId}.` })
    expect(await subscriptions()).toEqual([])

    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ request_id }) => request_id)).toEqual(requestIds) // in order, none twice
    expect(lines.every(({ status_code }) => status_code === 200)).toBe(true)
    // Only a delivery whose answer was lost is sent again.
    expect(receiver.received).toHaveLength(requestIds.length + repetitions)
    for (const { body, headers } of receiver.received)
      expect(verifyWebhook({ body, headers, secret })).toMatchObject({ event: 'WEBHOOK_TEST' })
  })

  it('acknowledges a delivery when the receiver answers with an error status, and prints the status', async () => {
    receiver.setResponder(respond(500))
    const { program, webhookId } = await startListening()
    const requestId = await sendEvent(webhookId)
    await program.until(requestId)
    await eventually(async () => {
      const { body } = await fleet.request('GET', `/v1/webhooks/deliveries/${requestId}`, { as: as() })
      return body.data.status === 'delivered'
    })
    expect(received(requestId)).toHaveLength(1)
    expect(program.stdout().split('\t').slice(1, 4)).toEqual(['500', 'WEBHOOK_TEST', requestId])
    program.signal('SIGTERM')
    expect(await program.ended).toMatchObject({ code: 0 })
    expect(await subscriptions()).toEqual([])
    receiver.setResponder(respond(200))
  })

  it('deletes its subscription when it is interrupted while the connection is lost', async () => {
    const { program, webhookId } = await startListening()
    edge.goDown()
    await program.until('Lost the connection to the platform')
    const cutsBefore = edge.cuts
    program.signal('SIGINT')
    await eventually(() => edge.cuts > cutsBefore)
    edge.comeUp()
    expect(await program.ended).toMatchObject({ code: 0, stderr: expect.stringContaining(`Deleted ${webhookId}.`) })
    expect(await subscriptions()).toEqual([])
  })

  it('ends with an error when the subscription is deleted elsewhere, and when the event kind is unknown', async () => {
    const { program, webhookId } = await startListening()
    await fleet.request('DELETE', `${path}/${webhookId}`, { as: as() })
    expect(await program.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('(not_found, request req-') })
    const unknown = await wp.run(['webhooks', 'listen', '3000', '--events', 'NOPE'])
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^wp: .*events\/0.* \(unknown_event_kind, /s),
    })
    expect(await subscriptions()).toEqual([])
  })
})

describe('wp webhooks list, create, deliveries, resend, replay and delete', () => {
  it('manages a subscription and sends its deliveries again', async () => {
    const created = await wp.run(['webhooks', 'create', '--poll', '--events', 'WEBHOOK_TEST,API_KEY_CREATED', '--json'])
    expect(created).toMatchObject({ code: 0 })
    const { webhook_id: webhookId, events } = JSON.parse(created.stdout)
    expect(events).toEqual(['WEBHOOK_TEST', 'API_KEY_CREATED'])
    const requestId = await sendEvent(webhookId)

    const list = await wp.run(['webhooks', 'list'])
    expect(list.stdout.split('\t').slice(0, 4)).toEqual([webhookId, 'active', 'poll', 'WEBHOOK_TEST, API_KEY_CREATED'])
    const deliveries = await wp.run([
      'webhooks',
      'deliveries',
      webhookId,
      '--status',
      'pending',
      '--jq',
      '.[].request_id',
    ])
    expect(deliveries.stdout).toBe(`${requestId}\n`)
    expect(await wp.run(['webhooks', 'resend', requestId])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(conflict, request req-'),
    })
    const poll = await fleet.request('GET', `${path}/${webhookId}/poll`, { as: as() })
    await fleet.request('GET', `${path}/${webhookId}/poll?cursor=${poll.body.data.next_cursor}`, { as: as() })
    const resent = await wp.run(['webhooks', 'resend', requestId, '--json', 'request_id,status'])
    expect(JSON.parse(resent.stdout)).toEqual({ request_id: requestId, status: 'pending' })

    const range = ['--since', '2020-01-01T00:00:00Z', '--status', 'failed,delivered', '--wait']
    const replay = await wp.run(['webhooks', 'replay', webhookId, ...range])
    expect(replay).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^id\trpl_\w+\nstatus\tfinished\nmatched\t0\n/),
    })
    expect(await wp.run(['webhooks', 'delete', webhookId])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Deleted ${webhookId}.\n`,
    })
  })

  it('names the missing flag or address when a command is incomplete', async () => {
    const replay = await wp.run(['webhooks', 'replay', 'wh_01h455vb4pex5vsknk084sn02q'])
    expect(replay).toMatchObject({ code: 2, stdout: '', stderr: 'wp: --since needs a value\n' })
    const create = await wp.run(['webhooks', 'create'])
    expect(create).toMatchObject({ code: 2, stdout: '', stderr: 'wp: give either an endpoint or --poll\n' })
  })
})
