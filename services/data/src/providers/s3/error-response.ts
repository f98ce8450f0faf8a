import { crawlFailure } from '../crawl-failure.ts'
import { RetryableError } from '../retry.ts'

/** Thrown if an object is not available as listed: deleted, replaced by another version, or archived. */
export class ObjectUnavailable extends Error {
  override readonly name = 'ObjectUnavailable'
  readonly reason: 'deleted' | 'replaced' | 'archived'

  constructor(reason: ObjectUnavailable['reason']) {
    super(`the object is ${reason}`)
    this.reason = reason
  }
}

export interface S3ErrorResponse {
  status: number
  /** Error code of S3, such as `NoSuchKey`. */
  code: string | undefined
  /** Names the operation at the beginning of error messages. */
  operation: string
  retryAfterMs: number | undefined
}

const busyCodes = new Set([
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'Throttling',
  'TooManyRequests',
])

/** Classifies an error response: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export function toS3Error({ status, code, operation, retryAfterMs }: S3ErrorResponse): Error {
  const message = `${operation}: the store answered ${status}${code === undefined ? '' : ` (${code})`}`
  if (code === 'InvalidObjectState') return new ObjectUnavailable('archived')
  if (code === 'NoSuchBucket') return crawlFailure('config', `${message}: there is no such bucket`)
  if (code === 'NoSuchKey') return new ObjectUnavailable('deleted')
  if (status === 412) return new ObjectUnavailable('replaced')
  if (busyCodes.has(code ?? '') || status === 408 || status === 429 || (status >= 500 && status !== 501))
    return new RetryableError(crawlFailure('transient', message), retryAfterMs)
  if (status === 301 || status === 302 || status === 307 || code === 'AuthorizationHeaderMalformed')
    return crawlFailure('config', `${message}: the bucket is in another region or at another endpoint`)
  if (status === 401 || status === 403 || code === 'ExpiredToken') return crawlFailure('auth', message)
  return crawlFailure('config', message)
}
