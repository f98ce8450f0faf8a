import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, problem, problemBody } from '@wp/contracts'
import type { Logger } from '../telemetry/logger.ts'
import { type HttpResponse, sendResponse, writeResponse } from './response.ts'

interface ProblemContext {
  base: string
  requestId: string
  log: Logger
  /** The token endpoint speaks RFC 6749 section 5.2 as well. */
  oauth?: boolean
}

/** Answers with an error: what the caller may know; what the operator needs goes to the log under the same request id. */
export function sendProblem(response: ServerResponse, thrown: unknown, options: ProblemContext): void {
  const { requestId, log } = options
  if (isClientAbort(response.req, thrown)) {
    response.statusCode = clientClosedRequest
    log.info({ request_id: requestId }, 'the client went away in the middle of its body')
    return void response.destroy()
  }
  const known = thrown instanceof Problem ? thrown : problem('internal_error', { cause: thrown })
  if (known.status >= 500)
    log.error({ err: known.cause ?? known, request_id: requestId, code: known.code }, 'request failed')
  if (response.headersSent) return void response.destroy()
  const answer = problemResponse(known, options)
  if (isStillSending(response.req)) sendWhileReceiving(response, answer)
  else sendResponse(response, answer)
}

/** No status of HTTP: for metrics alone, as nginx counts it. Nobody is there to read it. */
const clientClosedRequest = 499

/** A body that broke off is the reason for whatever failed while it was read; one that arrived only if it says so itself. */
const isClientAbort = (request: IncomingMessage, thrown: unknown): boolean =>
  request.errored !== null && (thrown === request.errored || !request.complete)

/** `complete` alone does not tell: it is also false for a request without a body at the moment its headers arrive. */
const isStillSending = (request: IncomingMessage): boolean =>
  !request.complete &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0)

/** How long a refused body may go on arriving, in milliseconds. */
const lingerMs = 2000
/** A longer body, or one of unknown length, is not worth its connection: the sender may stop. */
const shortBytes = 65_536

/**
 * Answers one who is still sending. Node closes a connection that is to be closed as soon as the response ends, and who
 * then still sends may read a reset instead of the answer. So the response ends with the request; what arrives meanwhile
 * is thrown away, and what has not arrived in time ends the connection.
 */
function sendWhileReceiving(response: ServerResponse, answer: HttpResponse): void {
  const { req: request } = response
  if (!(Number(request.headers['content-length']) <= shortBytes)) response.setHeader('connection', 'close')
  writeResponse(response, answer)
  request.resume()
  const cut = setTimeout(() => response.end(() => request.destroy()), lingerMs).unref()
  const settle = () => {
    clearTimeout(cut)
    response.end()
  }
  request.once('end', settle).once('close', settle)
}

/** The answer for a problem. */
export function problemResponse(
  known: Problem,
  options: Pick<ProblemContext, 'base' | 'requestId' | 'oauth'>,
): HttpResponse {
  const body = problemBody(known, options.base, options.requestId)
  const headers: Record<string, string> = {
    'content-type': options.oauth === true ? 'application/json; charset=utf-8' : 'application/problem+json',
    'cache-control': 'no-store',
    ...known.headers,
  }
  if (known.status === 401 && headers['www-authenticate'] === undefined)
    headers['www-authenticate'] = options.oauth === true ? 'Basic realm="token"' : challenge(known)
  return {
    status: known.status,
    headers,
    body: JSON.stringify(options.oauth === true ? { ...body, ...oauthMembers(known) } : body),
  }
}

/** RFC 6750 section 3: no error code when no credential was sent. */
const challenge = (known: Problem): string =>
  known.code === 'missing_credential' ? 'Bearer' : 'Bearer error="invalid_token"'

const oauthCodes: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unsupported_grant_type',
  'unsupported_token_type',
])

function oauthMembers(known: Problem): Record<string, string> {
  const error = oauthCodes.has(known.code) ? known.code : known.status >= 500 ? 'server_error' : 'invalid_request'
  return { error, error_description: known.detail.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ') }
}
