import type { ErrorCode, FieldError } from '@wp/contracts'
import { readRetryAfterSeconds } from './retry.ts'

/** An answer that is an error. `code` is stable; a code this version does not know is kept as it came. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** `unknown` where something before the platform answered. */
  readonly code: ErrorCode | (string & {})
  /** What to name when you ask for help. */
  readonly requestId: string | undefined
  /** What is wrong with which field, where the input was. */
  readonly errors: readonly FieldError[]
  /** How long to wait, where the platform says it. */
  readonly retryAfterSeconds: number | undefined
  /** The whole problem (RFC 9457). */
  readonly body: Readonly<Record<string, unknown>>

  /** @param problem the body of the answer, parsed */
  constructor(response: Response, problem: unknown) {
    const body = typeof problem === 'object' && problem !== null ? { ...problem } : {}
    const { detail, code, request_id: requestId, errors }: Record<string, unknown> = body
    super(typeof detail === 'string' ? detail : `the answer was ${response.status}`)
    this.status = response.status
    this.code = typeof code === 'string' ? code : 'unknown'
    this.requestId = typeof requestId === 'string' ? requestId : (response.headers.get('x-request-id') ?? undefined)
    this.errors = Array.isArray(errors) ? errors : []
    this.retryAfterSeconds = readRetryAfterSeconds(response)
    this.body = body
  }
}
