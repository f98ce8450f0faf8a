import { type LoopbackServer, serverIdentity, startServer } from '../../harness/loopback-server.ts'
import { send, sendOk, type Workspace } from '../../harness/workspace.ts'
import { type Attack, flood } from './attack.ts'

/** Starts a receiver that responds after some time. */
const startReceiver = (afterMs: number) =>
  startServer((request, response) => {
    request.resume()
    setTimeout(() => response.writeHead(200).end(), afterMs)
  }, serverIdentity())

/** Creates subscriptions as fast as the rate limits of two credentials allow. */
async function createSubscriptions(hostile: Workspace, endpoint: string, total: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < total; index += 1) {
    const body = { endpoint: `${endpoint}/${index}`, events: ['API_KEY_CREATED'], secret: 'benchmark-signing-secret' }
    const credential = index % 2 === 0 ? {} : { token: hostile.tokens[0] ?? '' }
    ids.push((await sendOk(hostile, 'POST', '/v1/webhooks/webhooks', { body, ...credential })).webhook_id)
  }
  return ids
}

/** Creates and deletes an API key, whose event is delivered to every subscription. */
async function emitEvent(hostile: Workspace, signal: AbortSignal): Promise<{ status: number }> {
  const token = hostile.tokens[0] ?? ''
  const created = await send(hostile, 'POST', '/v1/auth/api-key', { body: {}, token, signal })
  if (created.status === 201) await send(hostile, 'DELETE', `/v1/auth/api-key/${created.body.data.key_id}`, { token })
  return created
}

function attackWithSlowReceiver(): Attack {
  let receiver: LoopbackServer | undefined
  return {
    probe: 'delivery',
    async prepare(hostile) {
      receiver = await startReceiver(12_000)
      await createSubscriptions(hostile, receiver.url, 900)
    },
    async run(hostile, outcome, signal) {
      await flood(1, signal, outcome, () => emitEvent(hostile, signal))
      await receiver?.[Symbol.asyncDispose]()
    },
  }
}

export const slowReceivers = attackWithSlowReceiver()

export const replays: Attack = {
  probe: 'delivery',
  async run(hostile, outcome, signal) {
    await using receiver = await startReceiver(500)
    const ids = await createSubscriptions(hostile, receiver.url, 20)
    for (let event = 0; event < 50; event += 1) await emitEvent(hostile, signal)
    await flood(4, signal, outcome, (serial) => {
      const body = { since: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
      return send(hostile, 'POST', `/v1/webhooks/webhooks/${ids[serial % ids.length]}/replay`, { body, signal })
    })
    for (const id of ids) await sendOk(hostile, 'DELETE', `/v1/webhooks/webhooks/${id}`)
  },
}
