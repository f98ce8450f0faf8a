import type { ServerResponse } from 'node:http'
import { Problem, problem, problemBody } from '@wp/contracts'
import type { Logger } from '../logger.ts'
import { type Answer, send } from './answer.ts'

interface Refusing {
  base: string
  requestId: string
  log: Logger
  /** The token endpoint speaks RFC 6749 section 5.2 as well. */
  oauth?: boolean
}

/** Answers with an error: what the caller may know; what the operator needs goes to the log under the same request id. */
export function refuse(response: ServerResponse, thrown: unknown, options: Refusing): void {
  const known = thrown instanceof Problem ? thrown : problem('internal_error', { cause: thrown })
  if (known.status >= 500)
    options.log.error({ err: known.cause ?? known, request_id: options.requestId, code: known.code }, 'request failed')
  if (response.headersSent) return void response.destroy()
  if (!response.req.complete) endAfterAnswer(response)
  send(response, problemAnswer(known, options))
}

/** How long a refused body may go on arriving, in milliseconds. */
const lingerMs = 2000

/**
 * The rest of a refused body is thrown away for a moment, so that the sender reads the answer instead of a reset; then
 * the connection ends.
 */
function endAfterAnswer(response: ServerResponse): void {
  const { req: request } = response
  response.setHeader('connection', 'close')
  request.resume()
  const cut = setTimeout(() => request.destroy(), lingerMs).unref()
  request.once('close', () => clearTimeout(cut))
}

/** The answer for a problem. */
export function problemAnswer(known: Problem, options: Pick<Refusing, 'base' | 'requestId' | 'oauth'>): Answer {
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
])

function oauthMembers(known: Problem): Record<string, string> {
  const error = oauthCodes.has(known.code) ? known.code : known.status >= 500 ? 'server_error' : 'invalid_request'
  return { error, error_description: known.detail.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ') }
}
