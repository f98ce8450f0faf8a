import { failed } from '../failure.ts'
import { Unavailable } from '../http/unavailable.ts'

/** The object is not, or no longer, there as it was listed: `gone`, `replaced`, or kept where it cannot be read at once. */
export class NotAsListed extends Error {
  override readonly name = 'NotAsListed'
  readonly how: 'gone' | 'replaced' | 'archived'

  constructor(how: NotAsListed['how']) {
    super(`the object is ${how}`)
    this.how = how
  }
}

/** What a store answered in place of what was asked for. */
export interface Refusal {
  status: number
  /** S3's own, such as `NoSuchKey`. */
  code: string | undefined
  /** What was asked for, as the beginning of a sentence. */
  what: string
  afterMs: number | undefined
}

const busy = new Set([
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'Throttling',
  'TooManyRequests',
])

/** What a refusal is to who asked: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export function refused({ status, code, what, afterMs }: Refusal): Error {
  const said = `${what}: the store answered ${status}${code === undefined ? '' : ` (${code})`}`
  if (code === 'InvalidObjectState') return new NotAsListed('archived')
  if (code === 'NoSuchBucket') return failed('config', `${said}: there is no such bucket`)
  if (code === 'NoSuchKey') return new NotAsListed('gone')
  if (status === 412) return new NotAsListed('replaced')
  if (busy.has(code ?? '') || status === 408 || status === 429 || (status >= 500 && status !== 501))
    return new Unavailable(failed('transient', said), afterMs)
  if (status === 301 || status === 302 || status === 307 || code === 'AuthorizationHeaderMalformed')
    return failed('config', `${said}: the bucket is in another region or at another endpoint`)
  if (status === 401 || status === 403 || code === 'ExpiredToken') return failed('auth', said)
  return failed('config', said)
}
