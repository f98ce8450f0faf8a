import type { IncomingMessage, ServerResponse } from 'node:http'
import { problem, validateInput, validationProblem } from '@wp/contracts'
import { chunksOf, parseJsonBody, readBytes, type SiteRequestContext, sendBuffered } from '@wp/service'
import type { Context } from './context.ts'
import { sessionEndpoints } from './operations/index.ts'
import type { SessionEndpoint, SessionResult } from './operations/operation.ts'
import { readBrowser } from './session/read-browser.ts'

/** Serves a request of the console's own API. @param path below `/console/api/session` @throws Problem */
export async function serveSession(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  { path, site }: { path: string; site: SiteRequestContext },
): Promise<void> {
  const endpoint = findEndpoint(request.method ?? '', path)
  const body = await parseBody(endpoint, request)
  const browser = await readBrowser(context, request, site)
  sendResult(response, endpoint, await endpoint.run(context, browser, { body }))
}

function findEndpoint(method: string, path: string): SessionEndpoint {
  const ofPath = sessionEndpoints.filter((endpoint) => endpoint.path === path)
  if (ofPath.length === 0) throw problem('not_found')
  const endpoint = ofPath.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method))
  if (endpoint !== undefined) return endpoint
  throw problem('method_not_allowed', { headers: { allow: ofPath.map((candidate) => candidate.method).join(', ') } })
}

async function parseBody({ body: shape, method }: SessionEndpoint, request: IncomingMessage): Promise<unknown> {
  if (method === 'GET') return undefined
  const body = await readJsonBody(request)
  if (shape === undefined) {
    if (body !== undefined) throw validationProblem([{ pointer: '', detail: 'must be empty' }])
    return undefined
  }
  const result = validateInput(shape, body ?? {})
  if (!result.success) throw validationProblem(result.errors)
  return result.data
}

function sendResult(
  response: ServerResponse,
  { status }: Pick<SessionEndpoint, 'status'>,
  { data, cookies = [] }: SessionResult,
): void {
  sendBuffered(response, {
    status: status ?? 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
    },
    body: JSON.stringify({ success: true, data }),
  })
}

/** Maximum size of a body of the console's own endpoints, in bytes. */
const maxBodyBytes = 65_536

/**
 * Reads a JSON body; undefined if there is none.
 * @throws Problem if it is too large, malformed, or not `application/json`, the only type here that no form can send
 */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes({ chunks: chunksOf(request) }, maxBodyBytes)
  if (bytes.length === 0) return undefined
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json')
    throw problem('unsupported_media_type', { detail: 'The content type must be application/json' })
  return parseJsonBody(bytes)
}
