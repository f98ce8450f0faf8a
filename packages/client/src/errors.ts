import type { ErrorCode, FieldError } from '@wp/contracts'

/** An answer that is an error. `code` is stable; a code this version does not know is kept as it came. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | (string & {})
  readonly requestId: string | undefined
  /** What is wrong with which field, where the input was. */
  readonly errors: readonly FieldError[]
  /** The whole problem (RFC 9457). */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body.detail === 'string' ? body.detail : `the platform answered ${status}`)
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : 'unknown'
    this.requestId = typeof body.request_id === 'string' ? body.request_id : undefined
    this.errors = Array.isArray(body.errors) ? body.errors : []
    this.body = body
  }
}
