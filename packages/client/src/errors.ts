import type { ErrorCode, FieldError } from '@wp/contracts'
import { readRetryAfterSeconds } from './retry.ts'

/** An error response. `code` is stable; codes unknown to this version are passed on. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** `unknown` if the response is not from the platform, for example from a proxy. */
  readonly code: ErrorCode | (string & {})
  /** Id of the request, for support. */
  readonly requestId: string | undefined
  /** Invalid fields of the input. */
  readonly errors: readonly FieldError[]
  /** Value of `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  /** The problem document (RFC 9457). */
  readonly body: Readonly<Record<string, unknown>>

  /** @param problem the parsed body of the response */
  constructor(response: Response, problem: unknown) {
    const body = typeof problem === 'object' && problem !== null ? { ...problem } : {}
    const { detail, code, request_id: requestId, errors }: Record<string, unknown> = body
    super(typeof detail === 'string' ? detail : `the response has status ${response.status}`)
    this.status = response.status
    this.code = typeof code === 'string' ? code : 'unknown'
    this.requestId = typeof requestId === 'string' ? requestId : (response.headers.get('x-request-id') ?? undefined)
    this.errors = Array.isArray(errors) ? errors : []
    this.retryAfterSeconds = readRetryAfterSeconds(response)
    this.body = body
  }
}
