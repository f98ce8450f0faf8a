import type { RequestListener } from 'node:http'
import { startServer } from '../../harness/loopback-server.ts'
import { send, sendOk, type Workspace } from '../../harness/workspace.ts'
import { type Attack, count, flood } from './attack.ts'

const model = 'slow-model'

/** Lists a model, accepts single texts after a second, and refuses or drips everything else. */
const embeddingServer: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    if (request.url?.endsWith('/models')) return response.end(JSON.stringify({ data: [{ id: model }] }))
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] } // the platform's request
    if (input.length > 1 && Math.random() < 0.5) return response.writeHead(400).end('{"error":"too many"}')
    const text = JSON.stringify({ data: input.map((_, index) => ({ index, embedding: Array(64).fill(0.1) })) })
    if (input.length === 1) return setTimeout(() => response.end(text), 1_000)
    return drip(text, (piece) => response.write(piece))
  })
}

function drip(text: string, write: (piece: string) => void): void {
  let at = 0
  const timer = setInterval(() => {
    write(text.slice(at, at + 1))
    at += 1
    if (at >= text.length) clearInterval(timer)
  }, 500)
}

/** Selects the embedding server for the workspace and fills sources with records to embed. */
async function connect(hostile: Workspace, url: string): Promise<void> {
  const integration = await sendOk(hostile, 'POST', '/v1/integrations/integrations', {
    body: { provider: 'openai_compatible', name: 'hostile', config: { base_url: url, embedding_model: model } },
  })
  await send(hostile, 'POST', `/v1/integrations/integrations/${integration.integration_id}/test`)
  await sendOk(hostile, 'PATCH', '/v1/data/embedding', { body: { integration_id: integration.integration_id } })
}

export const embeddingServers: Attack = {
  description: '10 sources embedded by a server that refuses or drips',
  probe: 'requests',
  async run(hostile, outcome, signal) {
    await using server = await startServer(embeddingServer)
    await connect(hostile, server.url)
    const sources: string[] = []
    for (let index = 0; index < 10; index += 1) {
      const body = { name: `embedded ${index}`, provider: 'upload', config: { key: 'id' }, embed: true }
      sources.push((await sendOk(hostile, 'POST', '/v1/data/sources', { body })).data_source_id)
    }
    count(outcome, 'connected')
    let serial = 0
    await flood(1, signal, outcome, () => {
      serial += 1
      const rows = Array.from({ length: 500 }, (_, at) => `{"id":"${serial}-${at}","text":"a room with a view ${at}"}`)
      const path = `/v1/data/sources/${sources[serial % sources.length]}/records`
      return send(hostile, 'POST', path, { body: rows.join('\n'), contentType: 'application/x-ndjson', signal })
    })
    await send(hostile, 'PATCH', '/v1/data/embedding', { body: { integration_id: null } })
  },
}
