import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type ErrorCode,
  type ErrorFormat,
  openAiErrorOf,
  Problem,
  problem,
  problemBody,
  scimErrorSchema,
  scimMediaType,
} from '@wp/contracts'
import { errorCode } from '@wp/runtime'
import type { Logger } from '../../telemetry/logger.ts'
import { addBrand, defaultProductName } from '../page/html.ts'
import { pageHeaders } from '../page/page-headers.ts'
import { problemPage } from '../page/problem-page.ts'
import { endWithRequest } from './end-with-request.ts'
import { type BufferedResponse, sendBuffered, writeBuffered } from './send-response.ts'

interface ProblemContext {
  /** The public base address. */
  base: string
  /** Name of the product, shown on pages. */
  productName?: string | undefined
  requestId: string
  log: Logger
  /** Default: `problem`. */
  format?: ErrorFormat
}

/**
 * Sends the problem response for an error. The caller sees the public part; the cause is logged under the same request
 * id. A response that has already begun is cut instead, and so is the connection of a client that disconnected.
 */
export function sendProblem(response: ServerResponse, thrown: unknown, context: ProblemContext): void {
  const { requestId, log } = context
  if (isClientAbort(response.req, thrown)) {
    response.statusCode = clientClosedRequest
    log.info(
      { event: 'request.aborted_by_client', request_id: requestId },
      'client disconnected before the response ended',
    )
    return void response.destroy()
  }
  const error = thrown instanceof Problem ? thrown : unexpectedProblem(thrown)
  if (error.status >= 500) {
    const level = isProviderFailure(error) ? 'warn' : 'error'
    log[level](
      { event: 'request.failed', err: error.cause ?? error, request_id: requestId, code: error.code },
      'request failed',
    )
  }
  if (response.headersSent) return void response.destroy()
  const content = problemResponse(error, context)
  if (isStillReceiving(response.req)) sendWhileReceiving(response, content)
  else sendBuffered(response, content)
}

/** Responds to a statement that an overloaded database did not finish in time as if it were unavailable. */
function unexpectedProblem(cause: unknown): Problem {
  if (!isStatementCancelled(cause)) return problem('internal_error', { cause })
  const detail = 'The database did not answer in time; retry shortly'
  return problem('service_unavailable', { detail, cause, headers: { 'retry-after': '5' } })
}

/** Returns true if PostgreSQL cancelled a statement (SQLSTATE 57014), as it does after `statement_timeout`. */
const isStatementCancelled = (error: unknown, depth = 0): boolean =>
  error instanceof Error &&
  depth < maxCauses &&
  (errorCode(error) === '57014' || isStatementCancelled(error.cause, depth + 1))
const maxCauses = 5

/**
 * Returns true if a provider that the user connected failed, and no service of the platform: the operator cannot help.
 */
const isProviderFailure = ({ code, cause }: Problem): boolean =>
  code === 'embeddings_unavailable' && !(cause instanceof Problem)

/** Not an HTTP status: used in metrics only, as nginx does. */
const clientClosedRequest = 499

/**
 * Returns true if an error is a consequence of the client closing the connection: while a response was streamed, or
 * while the body was read. After the whole body was received, only if the error is the one of the request itself.
 */
const isClientAbort = (request: IncomingMessage, thrown: unknown): boolean =>
  isPrematureClose(thrown) || (request.errored !== null && (thrown === request.errored || !request.complete))

const isPrematureClose = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE'

/** `complete` is not enough: it is also false for a request without a body at the moment its headers are received. */
const isStillReceiving = (request: IncomingMessage): boolean =>
  !request.complete &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0)

/** The connection is closed after a rejected body longer than this, or of unknown length: receiving it costs more. */
const maxKeptBodyBytes = 65_536

/** Responds to a client that is still sending its body. */
function sendWhileReceiving(response: ServerResponse, content: BufferedResponse): void {
  const { req: request } = response
  if (!(Number(request.headers['content-length']) <= maxKeptBodyBytes)) response.setHeader('connection', 'close')
  writeBuffered(response, content)
  endWithRequest(response)
}

/** Builds the response for a problem (RFC 9457), with a challenge for 401, or its page. */
export function problemResponse(
  error: Problem,
  {
    base,
    requestId,
    format = 'problem',
    productName,
  }: Pick<ProblemContext, 'base' | 'requestId' | 'format' | 'productName'>,
): BufferedResponse {
  if (format === 'page') return pageResponse(error, requestId, productName)
  const oauth = format === 'oauth'
  const body = withProtocolMembers(problemBody(error, base, requestId), error, format)
  const headers: Record<string, string> = {
    'content-type': errorMediaTypes[format],
    'cache-control': 'no-store',
    ...error.headers,
  }
  if (error.status === 401) headers['www-authenticate'] ??= oauth ? 'Basic realm="token"' : bearerChallenge(error)
  return { status: error.status, headers, body: JSON.stringify(body) }
}

const errorMediaTypes: Readonly<Record<Exclude<ErrorFormat, 'page'>, string>> = {
  problem: 'application/problem+json',
  oauth: 'application/json; charset=utf-8',
  openai: 'application/json; charset=utf-8',
  scim: scimMediaType,
}

function withProtocolMembers(body: Record<string, unknown>, error: Problem, format: ErrorFormat) {
  if (format === 'oauth') return { ...body, ...oauthMembers(error) }
  if (format === 'openai') return { ...body, ...openAiErrorOf(error) }
  return format === 'scim' ? { ...body, ...scimMembers(error) } : body
}

/** RFC 7644 section 3.12: the status is a string. An operation states the `scimType` of its errors in `extra`. */
function scimMembers({ code, status, extra }: Problem): Record<string, unknown> {
  const scimType = extra.scimType ?? scimTypes[code]
  return { schemas: [scimErrorSchema], status: String(status), ...(scimType === undefined ? {} : { scimType }) }
}

const scimTypes: Readonly<Partial<Record<ErrorCode, string>>> = {
  malformed_body: 'invalidSyntax',
  validation_failed: 'invalidValue',
}

function pageResponse(error: Problem, requestId: string, productName: string = defaultProductName): BufferedResponse {
  const { html } = problemPage(error, requestId)
  const headers = { ...pageHeaders(html), 'cache-control': 'no-store', ...error.headers }
  return { status: error.status, headers, body: addBrand(html, productName) }
}

/** RFC 6750 section 3: no error code if the request had no credential. */
const bearerChallenge = (error: Problem): string =>
  error.code === 'missing_credential' ? 'Bearer' : 'Bearer error="invalid_token"'

const oauthCodes: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unsupported_grant_type',
  'unsupported_token_type',
])

function oauthMembers({ code, status, detail }: Problem): Record<string, string> {
  const error = oauthCodes.has(code) ? code : status >= 500 ? 'server_error' : 'invalid_request'
  // characters that RFC 6749 section 5.2 does not allow in a description
  return { error, error_description: detail.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ') }
}
