import { type JobError, Problem } from '@wp/contracts'

/** To be thrown by a handler: why the job failed, in words for whoever asked for it. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly error: JobError

  constructor(error: JobError, options?: ErrorOptions) {
    super(error.message, options)
    this.error = error
  }
}

/** The runner that had the job died or fell silent, more often than is put down to chance. */
export const leaseLostError: JobError = {
  code: 'lease_lost',
  message: 'The job was interrupted too often',
  retryable: true,
}

/** Who asked may not, or no longer, do this. */
export const callerRevokedError: JobError = {
  code: 'caller_revoked',
  message: 'Who started this may no longer act in the workspace',
  retryable: false,
}

/** What the job shows of an error its handler threw. What nobody meant to be seen stays in the log. */
export function toJobError(thrown: unknown): JobError {
  if (thrown instanceof JobFailure) return thrown.error
  if (thrown instanceof Problem && thrown.status < 500)
    return { code: thrown.code, message: thrown.detail, retryable: thrown.status === 429 }
  return { code: 'internal_error', message: 'Something went wrong on our side', retryable: true }
}

/** Whether a failed try is followed by another one. @param failures tries that had failed before */
export const shouldRetry = (error: JobError, failures: number, maxAttempts: number): boolean =>
  error.retryable && failures + 1 < maxAttempts
