import type { JobErrorCode } from '@wp/contracts'
import { JobFailure } from '@wp/jobs'

/** Creates a permanent failure with a message for the user. */
export const failure = (code: JobErrorCode, message: string): JobFailure =>
  new JobFailure({ code, message, retryable: false })
