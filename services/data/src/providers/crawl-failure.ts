import { JobFailure } from '@wp/jobs'
import type { OutboundError } from '@wp/outbound'

type FailureCode = 'config' | 'auth' | 'transient' | 'schema'

/** Why a source could not be read, in words for the user who set it up; only what is transient is worth another try. */
export function crawlFailure(code: FailureCode, message: string, cause?: unknown): JobFailure {
  const error = { code, message: sanitizeMessage(message), retryable: code === 'transient' }
  return new JobFailure(error, cause === undefined ? undefined : { cause })
}

/** What a call to where a user's data lies failed at. */
export function outboundFailure(error: OutboundError): JobFailure {
  const isConfigError = error.isAddressRejected || error.kind === 'tls' || error.kind === 'invalid_request'
  return crawlFailure(isConfigError ? 'config' : 'transient', error.message, error)
}

/** Servers of a user's choosing are quoted here: no control characters, which no column would take, and no novels. */
const sanitizeMessage = (message: string): string =>
  message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
    .toWellFormed()
