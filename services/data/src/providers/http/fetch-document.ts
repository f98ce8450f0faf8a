import type { Readable } from 'node:stream'
import type { OutboundStream } from '@wp/outbound'
import { crawlFailure } from '../crawl-failure.ts'
import { parseRetryAfterMs, RetryableError, requestFailure } from '../retry.ts'
import type { CrawlRequest } from '../source-reader.ts'
import type { Validators } from './crawl-cursor.ts'
import type { HeadersForUrl } from './request-headers.ts'
import { isTlsDowngrade, redactUrl, resolveUrl } from './url.ts'

/** The answer at the end of all redirects. */
export interface DocumentResponse extends OutboundStream {
  /** Where it came from. */
  url: string
}

interface DocumentRequest {
  url: string
  headersFor: HeadersForUrl
  /** What the server said of the document when it was read last. */
  validators: Validators | undefined
  /** Statuses that are no failures here. */
  acceptedStatuses: ReadonlySet<number>
}

/** Longest document, in bytes. */
export const maxDocumentBytes = 1_073_741_824
const maxRedirects = 5
/** Of one document, from the lookup to its last row being taken. */
const documentTimeoutMs = 3_600_000
const redirectStatuses = new Set([301, 302, 303, 307, 308])
const successStatuses = new Set([200, 203, 204])

/**
 * Asks for a document and follows redirects, each vetted like the first address.
 * @throws JobFailure, Unavailable, the signal's reason
 */
export async function fetchDocument(
  { outbound, protocols, signal, now }: Pick<CrawlRequest<unknown>, 'outbound' | 'protocols' | 'signal' | 'now'>,
  { url, headersFor, validators, acceptedStatuses }: DocumentRequest,
): Promise<DocumentResponse> {
  let address = url
  for (let redirected = 0; ; redirected++) {
    const conditions =
      validators !== undefined && redactUrl(address) === validators.at ? conditionalHeaders(validators) : {}
    const headers = { ...headersFor(address), ...conditions }
    const request = { url: address, headers, protocols, signal, ...limits }
    const answer = await outbound.stream(request).catch((error: unknown) => {
      throw requestFailure(error, address, signal)
    })
    const { status } = answer
    if (
      successStatuses.has(status) ||
      acceptedStatuses.has(status) ||
      (status === 304 && Object.keys(conditions).length > 0)
    )
      return { ...answer, url: address }
    discardBody(answer.body)
    if (!redirectStatuses.has(status))
      throw statusFailure(status, address, parseRetryAfterMs(answer.headers['retry-after'], now()))
    if (redirected === maxRedirects)
      throw crawlFailure('config', `${redactUrl(url)} redirects more than ${maxRedirects} times`)
    address = redirectTarget(answer, address)
  }
}

const limits = {
  timeoutMs: documentTimeoutMs,
  maxResponseBytes: maxDocumentBytes,
  stallTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
}

function conditionalHeaders({ etag, modified }: Validators): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  }
}

function redirectTarget({ headers }: OutboundStream, from: string): string {
  const [location] = [headers.location ?? []].flat()
  const to = location === undefined ? undefined : resolveUrl(location, from)
  if (to === undefined) throw crawlFailure('config', `${redactUrl(from)} redirects without saying where to`)
  if (isTlsDowngrade(from, to))
    throw crawlFailure('config', `${redactUrl(from)} redirects to ${redactUrl(to)}, which is not https`)
  return to
}

function statusFailure(status: number, address: string, afterMs: number | undefined): Error {
  const message = `${redactUrl(address)} answered ${status}`
  if (status === 401 || status === 403 || status === 407)
    return crawlFailure('auth', `${message}: it does not accept the credentials`)
  if (status === 202) return new RetryableError(crawlFailure('transient', `${message}: it is not ready yet`), afterMs)
  const isBusy = status === 408 || status === 425 || status === 429 || status >= 500
  if (isBusy) return new RetryableError(crawlFailure('transient', `${message}${retryAfterText(afterMs)}`), afterMs)
  if (status === 404 || status === 410) return crawlFailure('config', `${message}: there is nothing at this address`)
  return crawlFailure('config', `${message}, which was not expected`)
}

const retryAfterText = (afterMs: number | undefined) =>
  afterMs === undefined ? '' : ` and asks to come back in ${Math.ceil(afterMs / 1000)} s`

/** What a refusal says beside its status is not read. */
export function discardBody(body: Readable): void {
  body.destroy()
}
