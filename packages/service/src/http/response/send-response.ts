import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Sends a response. The body is left out where HTTP has none. A streamed body is sent as fast as the client takes it.
 * @throws whatever fails while the body is streamed, also `ERR_STREAM_PREMATURE_CLOSE` if the client disconnects; the
 *   connection is then closed
 */
export async function sendResponse(response: ServerResponse, { status, headers, body }: HttpResponse): Promise<void> {
  if (typeof body === 'string') return sendBuffered(response, { status, headers, body })
  writeHead(response, { status, headers })
  if (response.req.method === 'HEAD') return void response.end()
  // Without this, a stream of events would not begin before its first event.
  response.flushHeaders()
  await pipeline(Readable.from(body()), response)
}

/** Sends a response whose body is text. */
export function sendBuffered(response: ServerResponse, content: BufferedResponse): void {
  writeBuffered(response, content)
  response.end()
}

/** Sends head and body, but does not end the response. */
export function writeBuffered(response: ServerResponse, { body, ...head }: BufferedResponse): void {
  writeHead(response, head)
  if (head.status === 304) return
  const bytes = Buffer.from(body)
  response.setHeader('content-length', bytes.length)
  if (response.req.method === 'HEAD') response.flushHeaders()
  else response.write(bytes)
}

function writeHead(response: ServerResponse, { status, headers }: Pick<HttpResponse, 'status' | 'headers'>): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** A response to send. */
export interface HttpResponse {
  status: number
  headers: Record<string, string | readonly string[]>
  /** Text, or a function that opens the chunks of a streamed body. */
  body: string | (() => AsyncIterable<Uint8Array | string>)
}

/** A response whose body is text. */
export type BufferedResponse = HttpResponse & { body: string }

/** Headers of a response that the caller alone may store, and must revalidate before each use. */
export const privateCaching = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, x-api-key, x-workspace-key',
} as const
