import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * Starts a stub service controlled by the query: `delay=` milliseconds, or `events=` with an interval in milliseconds.
 */
export async function startSlowService() {
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://x')
  let received = 0
  request.on('data', (chunk) => {
    received += chunk.length
  })
  if (searchParams.has('events')) return stream(response, Number(searchParams.get('events')))
  if (request.method === 'POST') await once(request, 'end')
  else request.resume()
  setTimeout(
    () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ success: true, data: { received } }))
    },
    Number(searchParams.get('delay') ?? 0),
  )
}

/** Sends each event in two pieces, so that a stream is within an event half of the time. */
function stream(response: ServerResponse, everyMs: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  let id = 0
  let isWithin = false
  const ticking = setInterval(() => {
    isWithin = !isWithin
    if (isWithin) id += 1
    response.write(isWithin ? `id: ${id}\ndata: {"num` : `ber":${id}}\n\n`)
  }, everyMs / 2)
  response.once('close', () => clearInterval(ticking))
}
