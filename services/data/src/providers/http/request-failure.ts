import { OutboundError } from '@wp/outbound'
import { crawlFailure, outboundFailure } from '../crawl-failure.ts'
import { RetryableError } from '../retry.ts'
import { redactUrl } from './url.ts'

/**
 * Converts the error of a request to the one to throw: a RetryableError or JobFailure, the reason of `signal` if it was
 * aborted, any other error as it is.
 */
export function requestFailure(error: unknown, url: string, signal: AbortSignal): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.kind === 'aborted' && signal.aborted) return signal.reason
  const message = `${redactUrl(url)}: ${error.message}`
  if (error.isAddressRejected) return crawlFailure('config', message, error)
  switch (error.kind) {
    case 'blocked_address':
    case 'connect':
    case 'timeout':
    case 'reset':
    case 'aborted':
      return new RetryableError(crawlFailure('transient', message, error))
    case 'protocol':
    case 'encoding':
      return crawlFailure('schema', message, error)
    case 'too_large':
      return crawlFailure('config', message, error)
    default:
      return crawlFailure(outboundFailure(error).error.code === 'transient' ? 'transient' : 'config', message, error)
  }
}
