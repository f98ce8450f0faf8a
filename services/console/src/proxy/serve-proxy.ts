import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EndpointDefinition } from '@wp/contracts'
import type { SiteRequestContext } from '@wp/service'
import type { Context } from '../context.ts'
import { readBrowser } from '../session/read-browser.ts'
import { requireSession } from '../session/require-session.ts'
import { selectRequestHeaders } from './headers.ts'
import { relayResponse } from './relay-response.ts'
import { hasBody, passBody } from './request-body.ts'
import { sendAsUser } from './send-as-user.ts'

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
