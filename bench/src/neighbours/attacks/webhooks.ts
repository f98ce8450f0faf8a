import type { ServerResponse } from 'node:http'
import { type LoopbackServer, startServer } from '../../harness/loopback-server.ts'
import { send, sendOk, type Workspace } from '../../harness/workspace.ts'
import { type Attack, flood, untilAborted } from './attack.ts'

const serverIdentity = () => ({ cert: process.env.CERTIFICATE ?? '', key: process.env.KEY ?? '' })

/** Creates subscriptions as fast as the rate limits of two credentials allow. */
async function createSubscriptions(hostile: Workspace, endpoint: string, total: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < total; index += 1) {
    const body = { endpoint: `${endpoint}/${index}`, events: ['API_KEY_CREATED'], secret: 'benchmark-signing-secret' }
    const token = hostile.tokens[0] ?? ''
    const credential = index % 2 === 0 ? {} : { token }
    ids.push((await sendOk(hostile, 'POST', '/v1/webhooks/webhooks', { body, ...credential })).webhook_id)
  }
  return ids
}

/** Creates and deletes an API key, whose event is delivered to every subscription. */
async function emitEvent(hostile: Workspace, signal: AbortSignal): Promise<{ status: number }> {
  const created = await send(hostile, 'POST', '/v1/auth/api-key', { body: {}, token: hostile.tokens[0] ?? '', signal })
  if (created.status === 201)
    await send(hostile, 'DELETE', `/v1/auth/api-key/${created.body.data.key_id}`, { token: hostile.tokens[0] ?? '' })
  return created
}

/** Delivers events to many endpoints that respond as given. */
function deliveryAttack(
  subscriptions: number,
  respond: (response: ServerResponse) => void,
): Pick<Attack, 'prepare' | 'run'> {
  let server: LoopbackServer | undefined
  return {
    async prepare(hostile) {
      server = await startServer((request, response) => {
        request.resume()
        respond(response)
      }, serverIdentity())
      await createSubscriptions(hostile, server.url, subscriptions)
    },
    async run(hostile, outcome, signal) {
      await flood(1, signal, outcome, () => emitEvent(hostile, signal))
      await server?.[Symbol.asyncDispose]()
    },
  }
}

const after = (ms: number) => (response: ServerResponse) => {
  setTimeout(() => response.writeHead(200).end(), ms)
}

export const slowReceivers: Attack = {
  probe: 'delivery',
  ...deliveryAttack(900, after(12_000)),
}

export const replays: Attack = {
  probe: 'delivery',
  async run(hostile, outcome, signal) {
    await using server = await startServer((request, response) => {
      request.resume()
      after(500)(response)
    }, serverIdentity())
    const ids = await createSubscriptions(hostile, server.url, 20)
    for (let event = 0; event < 50; event += 1) await emitEvent(hostile, signal)
    let next = 0
    await flood(4, signal, outcome, () => {
      next += 1
      const body = { since: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
      return send(hostile, 'POST', `/v1/webhooks/webhooks/${ids[next % ids.length]}/replay`, { body, signal })
    })
    await untilAborted(signal)
    for (const id of ids) await sendOk(hostile, 'DELETE', `/v1/webhooks/webhooks/${id}`)
  },
}
