import type { Problem } from '@wp/contracts'
import { JobFailure } from '@wp/jobs'
import type { OutboundError } from '@wp/outbound'

type FailureCode = 'config' | 'auth' | 'transient' | 'schema' | 'ambiguous_format' | 'unexpected_format'

/** Creates the failure of a crawl, with a message for the user who set up the source. Only `transient` is retried. */
export function crawlFailure(code: FailureCode, message: string, cause?: unknown): JobFailure {
  const error = { code, message: sanitizeMessage(message), retryable: code === 'transient' }
  return new JobFailure(error, cause === undefined ? undefined : { cause })
}

/** Returns the code of a failure for the error of reading a document. */
export function failureCodeOf({ code }: Problem): FailureCode {
  if (code === 'ambiguous_format' || code === 'unexpected_format') return code
  return code === 'payload_too_large' ? 'config' : 'schema'
}

/** Creates the failure for a request that the guarded client could not complete. */
export function outboundFailure(error: OutboundError): JobFailure {
  const isConfigError = error.isAddressRejected || error.kind === 'tls' || error.kind === 'invalid_request'
  return crawlFailure(isConfigError ? 'config' : 'transient', error.message, error)
}

/** Messages quote servers that users choose: removes control characters, which text columns reject, and truncates. */
const sanitizeMessage = (message: string): string =>
  message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
    .toWellFormed()
