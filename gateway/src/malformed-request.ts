import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Problem, problem } from '@wp/contracts'
import { type InFlightRequests, problemResponse, requestIdOf } from '@wp/service'
import { securityHeaders } from './browser/response-headers.ts'

/** What the parser lets through though RFC 9112 does not, and what others between us could read in two ways. */
export function malformedRequestProblem(request: IncomingMessage, maxHeaders: number): Problem | undefined {
  const { headers, rawHeaders, httpVersion } = request
  if (rawHeaders.length > 2 * maxHeaders) return problem('header_fields_too_large')
  if (headers.host === undefined && httpVersion === '1.1') return malformed('Host is missing')
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name))
  if (hosts.length > 1) return malformed('Host is given twice')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return malformed('Transfer-Encoding can only be chunked')
  return undefined
}

/** The path and query of a request that names its whole address (RFC 9112 section 3.2.2). */
export function toOriginForm(target: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? []
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Answers bytes that are no request, in our shape, and ends the connection. Where another answer is still owed on it,
 * ours would be taken for that one; then it just ends.
 */
export function respondToMalformedRequest(
  error: NodeJS.ErrnoException,
  connection: Duplex,
  exchanges: InFlightRequests,
  base: string,
): void {
  const [pending, ...more] = exchanges.owedOn(connection)
  const isBodyError = pending !== undefined && more.length === 0 && !pending.req.complete && !pending.headersSent
  const mayRespond = pending === undefined || isBodyError
  if (error.code === 'ECONNRESET' || !connection.writable || !mayRespond) return void connection.destroy()
  connection.end(malformedRequestResponse(error.code, base))
}

/** The whole answer, as it is written to a connection that has no response of its own. @param code of Node's parser */
export function malformedRequestResponse(code: string | undefined, base: string): string {
  const requestId = requestIdOf(undefined)
  const { status, headers, body } = problemResponse(problemOfParserError(code), { base, requestId })
  const fields = {
    'x-request-id': requestId,
    ...Object.fromEntries(securityHeaders(base)),
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

function problemOfParserError(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return problem('header_fields_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request_timeout')
  return malformed('The request is not well-formed HTTP')
}

const malformed = (detail: string) => problem('malformed_request', { detail })
