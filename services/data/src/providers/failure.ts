import { JobFailure } from '@wp/jobs'
import type { OutboundError } from '@wp/outbound'

type FailureCode = 'config' | 'auth' | 'transient' | 'schema'

/** Why a source could not be read, in words for the user who set it up; only what is transient is worth another try. */
export function failed(code: FailureCode, message: string, cause?: unknown): JobFailure {
  const error = { code, message: kept(message), retryable: code === 'transient' }
  return new JobFailure(error, cause === undefined ? undefined : { cause })
}

/** What a call to where a user's data lies failed at. */
export function unreachable(error: OutboundError): JobFailure {
  const isChosenWrong = error.isRefusal || error.kind === 'tls' || error.kind === 'invalid_request'
  return failed(isChosenWrong ? 'config' : 'transient', error.message, error)
}

/** Servers of a user's choosing are quoted here: no control characters, which no column would take, and no novels. */
const kept = (message: string): string =>
  message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
    .toWellFormed()
