import type { ServerResponse } from 'node:http'
import { startServer } from '../../harness/loopback-server.ts'
import { send, sendOk, type Workspace } from '../../harness/workspace.ts'
import { type Attack, count, flood, untilAborted } from './attack.ts'

const sourceCount = 20

/** Starts a sync of each of many http sources, and again when one has ended. Their server sends a line every 2 s. */
export const drip: Attack = {
  probe: 'sync',
  async run(hostile, outcome, signal) {
    await using server = await startServer((_request, response) => sendLines(response, signal))
    const sources: string[] = []
    for (let index = 0; index < sourceCount; index += 1)
      sources.push(await createSource(hostile, `${server.url}/${index}.ndjson`))
    let next = 0
    await flood(2, signal, outcome, () => {
      next += 1
      return send(hostile, 'POST', `/v1/data/sources/${sources[next % sourceCount]}/sync/start`, { signal })
    })
    for (const source of sources) await cancelSync(hostile, source)
  },
}

function sendLines(response: ServerResponse, signal: AbortSignal): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  let id = 0
  const timer = setInterval(() => response.write(`{"id":"${id++}"}\n`), 2_000)
  const end = () => clearInterval(timer)
  response.once('close', end)
  signal.addEventListener('abort', end, { once: true })
}

async function createSource(hostile: Workspace, url: string): Promise<string> {
  const { data_source_id } = await sendOk(hostile, 'POST', '/v1/data/sources', {
    body: { name: url.slice(-40), provider: 'http', config: { url, format: 'ndjson', key: 'id' } },
  })
  return data_source_id
}

async function cancelSync(hostile: Workspace, source: string): Promise<void> {
  const [sync] = await sendOk(hostile, 'GET', `/v1/data/sources/${source}/syncs?limit=1`)
  if (sync !== undefined && sync.finished_at === null) await send(hostile, 'POST', `/v1/data/syncs/${sync.id}/cancel`)
}

const line = `${JSON.stringify({ id: 'x', text: 'y'.repeat(1_000) })}\n`

export const uploads: Attack = {
  probe: 'requests',
  async run(hostile, outcome, signal) {
    const { data_source_id } = await sendOk(hostile, 'POST', '/v1/data/sources', {
      body: { name: 'uploads', provider: 'upload', config: { key: 'id' } },
    })
    let serial = 0
    await flood(4, signal, outcome, () => {
      serial += 1
      const body = Array.from({ length: 8_000 }, (_, at) => line.replace('"x"', `"${serial}-${at}"`)).join('')
      const path = `/v1/data/sources/${data_source_id}/records`
      return send(hostile, 'POST', path, { body, contentType: 'application/x-ndjson', signal })
    })
    count(outcome, 'ended')
    await untilAborted(signal)
  },
}
