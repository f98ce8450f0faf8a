import { JobFailure } from '@wp/jobs'

/** Creates a permanent failure with a message for the user. */
export const failure = (code: string, message: string): JobFailure =>
  new JobFailure({ code, message, retryable: false })
