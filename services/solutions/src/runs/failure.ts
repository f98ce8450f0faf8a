import { JobFailure } from '@wp/jobs'

/** Why a run cannot be finished, in words for whoever asked for it; trying again would not help. */
export const failure = (code: string, message: string): JobFailure =>
  new JobFailure({ code, message, retryable: false })
