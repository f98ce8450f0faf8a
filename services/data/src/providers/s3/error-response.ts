import { crawlFailure } from '../crawl-failure.ts'
import { RetryableError } from '../retry.ts'

/** The object is not, or no longer, there as it was listed: `gone`, `replaced`, or kept where it cannot be read at once. */
export class ObjectUnavailable extends Error {
  override readonly name = 'NotAsListed'
  readonly reason: 'gone' | 'replaced' | 'archived'

  constructor(how: ObjectUnavailable['reason']) {
    super(`the object is ${how}`)
    this.reason = how
  }
}

/** What a store answered in place of what was asked for. */
export interface S3ErrorResponse {
  status: number
  /** S3's own, such as `NoSuchKey`. */
  code: string | undefined
  /** What was asked for, as the beginning of a sentence. */
  operation: string
  afterMs: number | undefined
}

const busyCodes = new Set([
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'Throttling',
  'TooManyRequests',
])

/** What a refusal is to who asked: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export function toS3Error({ status, code, operation, afterMs }: S3ErrorResponse): Error {
  const said = `${operation}: the store answered ${status}${code === undefined ? '' : ` (${code})`}`
  if (code === 'InvalidObjectState') return new ObjectUnavailable('archived')
  if (code === 'NoSuchBucket') return crawlFailure('config', `${said}: there is no such bucket`)
  if (code === 'NoSuchKey') return new ObjectUnavailable('gone')
  if (status === 412) return new ObjectUnavailable('replaced')
  if (busyCodes.has(code ?? '') || status === 408 || status === 429 || (status >= 500 && status !== 501))
    return new RetryableError(crawlFailure('transient', said), afterMs)
  if (status === 301 || status === 302 || status === 307 || code === 'AuthorizationHeaderMalformed')
    return crawlFailure('config', `${said}: the bucket is in another region or at another endpoint`)
  if (status === 401 || status === 403 || code === 'ExpiredToken') return crawlFailure('auth', said)
  return crawlFailure('config', said)
}
