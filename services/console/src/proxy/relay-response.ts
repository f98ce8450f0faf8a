import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { endWithRequest } from '@wp/service'
import { selectResponseHeaders } from './headers.ts'
import { hasBody } from './request-body.ts'
import type { ProxyResponse } from './transport.ts'

/**
 * Sends the response of the API to the browser, as fast as it takes it. A stream of events ends when the server stops,
 * so that the browser reconnects to another replica.
 * @throws if either connection breaks
 */
export async function relayResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ProxyResponse,
  shutdown: AbortSignal,
): Promise<void> {
  response.writeHead(status, selectResponseHeaders(headers))
  response.flushHeaders()
  const isEventStream = headers['content-type']?.startsWith('text/event-stream') === true
  const stop = () => body.destroy()
  if (isEventStream) shutdown.addEventListener('abort', stop, { once: true })
  try {
    if (isEventStream && shutdown.aborted) stop()
    await pipeline(body, response, { end: false })
  } catch (error) {
    if (!isEventStream || !shutdown.aborted || response.destroyed) throw error
  } finally {
    shutdown.removeEventListener('abort', stop)
  }
  // the API may respond before it has received the whole body
  if (hasBody(request) && !request.complete) endWithRequest(response)
  else response.end()
}
