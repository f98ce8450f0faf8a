import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type EndpointDefinition, problem } from '@wp/contracts'
import { endWithRequest, type SiteRequestContext } from '@wp/service'
import type { Context } from '../context.ts'
import { isRejectedToken } from '../session/call-as-user.ts'
import { readBrowser, requireSession } from '../session/read-browser.ts'
import type { SessionRow } from '../store/sessions.ts'
import { selectRequestHeaders, selectResponseHeaders } from './headers.ts'
import type { ProxyResponse } from './transport.ts'

/** A request that the console proxies. */
export interface ProxiedRequest {
  definition: EndpointDefinition
  /** Path and query at the edge. */
  target: string
  site: SiteRequestContext
}

/** Proxies a request to the API, with the access token of the browser's session. @throws Problem */
export async function serveProxy(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  { definition, target, site }: ProxiedRequest,
): Promise<void> {
  const browser = await readBrowser(context, request, site)
  const { headers } = browser
  const session = definition.credentials === 'none' ? undefined : requireSession(browser)
  const release = await context.inFlight.acquire(session?.sessionId ?? site.clientAddress ?? '')
  const closed = new AbortController()
  const onClose = () => {
    release()
    closed.abort(new BrowserDisconnected())
  }
  if (response.destroyed) return onClose()
  response.once('close', onClose)
  const body = hasBody(request) ? passBody(request) : undefined

  const send = (token?: string) =>
    context.proxyTransport.send({
      definition,
      method: request.method ?? 'GET',
      target,
      headers: {
        ...selectRequestHeaders(request.headers),
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: body?.chunks,
      signal: closed.signal,
    })

  const answer =
    session === undefined
      ? await send()
      : await sendAsUser(context, session, { headers, send, isRepeatable: () => body?.isConsumed() !== true })
  await relayResponse(request, response, answer, site.shutdown)
}

/** The reason for which a request is cancelled. Its code says that no browser waits for a response. */
class BrowserDisconnected extends Error {
  override readonly name = 'BrowserDisconnected'
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE'

  constructor() {
    super('the browser disconnected')
  }
}

/**
 * Sends the response of the API to the browser, as fast as it takes it. A stream of events ends when the server stops,
 * so that the browser reconnects to another replica.
 * @throws if either connection breaks
 */
async function relayResponse(
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

/** Returns true if a request has a body (RFC 9112 section 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The body of a request that is passed on. */
interface PassedBody {
  chunks: AsyncIterable<Uint8Array>
  /** True once reading has begun: the request cannot be sent again. */
  isConsumed(): boolean
}

/** Reads the body at the speed at which it is sent on. The browser's connection survives if reading ends early. */
function passBody(request: IncomingMessage): PassedBody {
  let isConsumed = false
  async function* read(): AsyncGenerator<Uint8Array> {
    isConsumed = true
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk
  }
  return { chunks: read(), isConsumed: () => isConsumed }
}

interface UserRequest {
  /** Headers about the browser, for the refresh of the token. */
  headers: Record<string, string>
  send(token: string): Promise<ProxyResponse>
  /** Returns false once some of the body was sent. */
  isRepeatable(): boolean
}

/** More than any error response of the platform. */
const maxProblemBytes = 65_536

/**
 * Sends a request in the name of the session's user. If the edge rejects the access token, it is renewed and the
 * request sent once more, unless its body is gone: the app then repeats it.
 * @throws Problem of an ended session; `service_unavailable` if the request must be repeated
 */
async function sendAsUser(
  { tokens }: Pick<Context, 'tokens'>,
  session: SessionRow,
  { headers, send, isRepeatable }: UserRequest,
): Promise<ProxyResponse> {
  const token = await tokens.current(session, headers)
  const answer = await send(token)
  if (answer.status !== 401) return answer
  const bytes = await readAtMost(answer.body, maxProblemBytes)
  if (!isRejectedToken(answer.status, codeOf(bytes))) return { ...answer, body: Readable.from([bytes]) }
  const renewed = await tokens.renew(session, token, headers)
  if (isRepeatable()) return await send(renewed)
  throw problem('service_unavailable', {
    detail: 'The session was renewed while the request was sent; send it again',
    headers: { 'retry-after': '1' },
  })
}

async function readAtMost(body: Readable, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes: Buffer = chunk
    size += bytes.length
    if (size > limit) throw problem('bad_gateway', { detail: 'The error response of the API is too large' })
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Returns the code of a problem document; undefined if it is none. */
function codeOf(bytes: Buffer): unknown {
  try {
    const document: unknown = JSON.parse(bytes.toString())
    return typeof document === 'object' && document !== null ? Reflect.get(document, 'code') : undefined
  } catch {
    return undefined // a proxy in front of the edge responded
  }
}
