import { type JobError, Problem } from '@wp/contracts'

/** Thrown by a handler to fail its job with an error that is shown to the user. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly error: JobError

  constructor(error: JobError, options?: ErrorOptions) {
    super(error.message, options)
    this.error = error
  }
}

/** Error of a job that exceeded the limit of lost leases. */
export const leaseLostError: JobError = {
  code: 'lease_lost',
  message: 'The job was interrupted too often',
  retryable: true,
}

/** Error of a job whose caller no longer has the required permissions. */
export const callerRevokedError: JobError = {
  code: 'caller_revoked',
  message: 'The caller who started the job may no longer act in the workspace',
  retryable: false,
}

/** Converts an error thrown by a handler to the error of its job. Unexpected errors are only logged, not shown. */
export function toJobError(thrown: unknown): JobError {
  if (thrown instanceof JobFailure) return thrown.error
  if (thrown instanceof Problem && thrown.status < 500)
    return { code: thrown.code, message: thrown.detail, retryable: thrown.status === 429 }
  return { code: 'internal_error', message: 'Something went wrong on our side', retryable: true }
}

/** Returns true if the user can correct the cause, such as a query, a server or a permission of theirs. */
export const isUserFailure = (thrown: unknown): boolean =>
  thrown instanceof JobFailure || (thrown instanceof Problem && thrown.status < 500)

/** Returns true if another attempt follows. @param failures attempts that failed before this one */
export const shouldRetry = (error: JobError, failures: number, maxAttempts: number): boolean =>
  error.retryable && failures + 1 < maxAttempts
