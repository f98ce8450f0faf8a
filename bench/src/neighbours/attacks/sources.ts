import type { ServerResponse } from 'node:http'
import { startServer } from '../../harness/loopback-server.ts'
import { send, sendOk } from '../../harness/workspace.ts'
import { type Attack, createSource, flood } from './attack.ts'

const sourceCount = 20

/** Starts a sync of each of many http sources, and again when one has ended. Their server sends a line every 2 s. */
export const drip: Attack = {
  probe: 'sync',
  async run(hostile, outcome, signal) {
    await using server = await startServer((_request, response) => sendLines(response, signal))
    const sources: string[] = []
    for (let index = 0; index < sourceCount; index += 1)
      sources.push(await createSource(hostile, 'http', { url: `${server.url}/${index}.ndjson`, format: 'ndjson' }))
    await flood(2, signal, outcome, (serial) =>
      send(hostile, 'POST', `/v1/data/sources/${sources[serial % sourceCount]}/sync/start`, { signal }),
    )
    for (const source of sources) {
      const [sync] = await sendOk(hostile, 'GET', `/v1/data/sources/${source}/syncs?limit=1`)
      if (sync?.finished_at === null) await send(hostile, 'POST', `/v1/data/syncs/${sync.id}/cancel`)
    }
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

export const uploads: Attack = {
  probe: 'requests',
  async run(hostile, outcome, signal) {
    const source = await createSource(hostile, 'upload')
    const text = 'y'.repeat(1_000)
    await flood(4, signal, outcome, (serial) => {
      const lines = Array.from({ length: 8_000 }, (_, at) => `{"id":"${serial}-${at}","text":"${text}"}\n`)
      const upload = { body: lines.join(''), contentType: 'application/x-ndjson', signal }
      return send(hostile, 'POST', `/v1/data/sources/${source}/records`, upload)
    })
  },
}
