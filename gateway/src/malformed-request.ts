import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Problem, problem } from '@wp/contracts'
import { type InFlightRequests, problemResponse, requestIdOf } from '@wp/service'
import { securityHeaders } from './browser/response-headers.ts'

/**
 * Returns the error for a request that Node's parser accepts although RFC 9112 does not, or that proxies could read in
 * different ways (request smuggling); undefined if there is none.
 */
export function malformedRequestProblem(request: IncomingMessage, maxHeaders: number): Problem | undefined {
  const { headers, rawHeaders, httpVersion } = request
  if (rawHeaders.length > 2 * maxHeaders) return problem('header_fields_too_large')
  if (headers.host === undefined && httpVersion === '1.1') return malformed('The Host header is missing')
  const hostNames = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name))
  if (hostNames.length > 1) return malformed('The Host header is given twice')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return malformed('Transfer-Encoding must be chunked')
  return undefined
}

/** Returns path and query of a request target, also of one in absolute form (RFC 9112 section 3.2.2). */
export function toOriginForm(target: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? []
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Responds to bytes that are not a valid request with a problem, and ends the connection. If the response to an earlier
 * request is pending, the client would take the problem for it, so the connection is closed without a response.
 */
export function respondToMalformedRequest(
  error: NodeJS.ErrnoException,
  connection: Duplex,
  inFlight: InFlightRequests,
  base: string,
): void {
  const [pending, ...more] = inFlight.pendingOn(connection)
  const isBodyError = pending !== undefined && more.length === 0 && !pending.req.complete && !pending.headersSent
  const mayRespond = pending === undefined || isBodyError
  if (error.code === 'ECONNRESET' || !connection.writable || !mayRespond) return void connection.destroy()
  connection.end(malformedRequestResponse(error.code, base))
}

/** Returns the complete response as bytes to write to the connection. @param code error code of Node's parser */
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
