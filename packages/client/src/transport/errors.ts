import type { ErrorCode, FieldError } from '../contracts/types.ts'

/**
 * An error response. Every code has a subclass, such as `NotFoundError`; codes unknown to this version are passed on in
 * `code`.
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Stable. `unknown` if the response is not from the platform, for example from a proxy. */
  readonly code: ErrorCode | (string & {})
  /** Id of the request, for support. */
  readonly requestId: string | undefined
  /** Invalid fields of the input. */
  readonly errors: readonly FieldError[]
  /** Value of `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  /** Header fields of the response. */
  readonly headers: Headers
  /** The problem document (RFC 9457). */
  readonly body: Readonly<Record<string, unknown>>

  /** @param problem the parsed body of the response */
  constructor(response: { status: number; headers: Headers }, problem: unknown) {
    const body = typeof problem === 'object' && problem !== null ? { ...problem } : {}
    const { detail, code, error, request_id: requestId, errors }: Record<string, unknown> = body
    super(typeof detail === 'string' ? detail : describeStatus(response))
    const known = code ?? error // `error` in responses to OAuth requests (RFC 6749 section 5.2)
    this.status = response.status
    this.code = typeof known === 'string' ? known : 'unknown'
    this.requestId = typeof requestId === 'string' ? requestId : (response.headers.get('x-request-id') ?? undefined)
    this.errors = Array.isArray(errors) ? errors : []
    this.retryAfterSeconds = readRetryAfterSeconds(response)
    this.headers = response.headers
    this.body = body
  }
}

function describeStatus({ status, headers }: { status: number; headers: Headers }): string {
  if (status !== 0 && (status < 300 || status > 399)) return `the response has status ${status}`
  const location = headers.get('location')
  return `the server redirects${location === null ? '' : ` to ${location}`}; redirects are not followed: check baseUrl`
}

/** Thrown when there is no complete response: the connection failed or was closed. `cause` is the reason. */
export class NetworkError extends TypeError {
  override readonly name: string = 'NetworkError'
}

/** Thrown when a success response is not one of the platform, for example a page of a proxy, or too large. */
export class InvalidResponseError extends Error {
  override readonly name: string = 'InvalidResponseError'
  readonly status: number
  readonly requestId: string | undefined

  constructor(message: string, response: { status: number; headers: Headers }, options?: ErrorOptions) {
    super(message, options)
    this.status = response.status
    this.requestId = response.headers.get('x-request-id') ?? undefined
  }
}

/**
 * Creates the error of a failed `fetch`. Node.js and browsers report it as a TypeError, Bun as an Error with a code.
 */
export function createNetworkError(url: URL, error: unknown): NetworkError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof Error ? cause.message || Reflect.get(cause, 'code') || cause.name : String(cause)
  return new NetworkError(`no complete response from ${url.origin}: ${reason}`, { cause })
}

/**
 * Returns `Retry-After` in seconds: a number of seconds or the time until a date (RFC 9110 section 10.2.3), 0 for a
 * date in the past; undefined without a valid value.
 * @param nowMs the time of the response
 */
export function readRetryAfterSeconds(
  { headers }: { headers: Headers },
  nowMs: number = Date.now(),
): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN // accepts `in 5 s` too
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000)
}
