import type { JobErrorCode } from '@wp/contracts'
import { JobFailure } from '@wp/jobs'

/** Creates a permanent failure with a message for the user. */
export const failure = (code: JobErrorCode, message: string): JobFailure =>
  new JobFailure({ code, message, retryable: false })

/** A failure of a job by a field of its request, for which the request can be refused beforehand. */
export class FieldFailure extends JobFailure {
  readonly pointer: string
  readonly reason: string

  constructor(code: JobErrorCode, field: { pointer: string; reason: string }, message = field.reason) {
    super({ code, message, retryable: false })
    this.pointer = field.pointer
    this.reason = field.reason
  }
}
