import type { Readable } from 'node:stream'
import { type OutboundStream, parseRetryAfterMs } from '@wp/outbound'
import { crawlFailure } from '../crawl-failure.ts'
import { RetryableError } from '../retry.ts'
import type { CrawlRequest } from '../source-reader.ts'
import type { Validators } from './crawl-cursor.ts'
import { requestFailure } from './request-failure.ts'
import type { HeadersForUrl } from './request-headers.ts'
import { isTlsDowngrade, redactUrl, resolveUrl } from './url.ts'

/** The response after all redirects. */
export interface DocumentResponse extends OutboundStream {
  /** The address that sent it. */
  url: string
}

interface DocumentRequest {
  url: string
  headersFor: HeadersForUrl
  /** Validators of the last complete read, for a conditional request. */
  validators: Validators | undefined
  /** Statuses that are returned instead of thrown, beside success. */
  acceptedStatuses: ReadonlySet<number>
}

/** Largest document, in bytes. */
export const maxDocumentBytes = 1_073_741_824
const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])
const successStatuses = new Set([200, 203, 204])

const limits = {
  /** From the lookup until the last row is consumed. */
  timeoutMs: 3_600_000,
  maxResponseBytes: maxDocumentBytes,
  stallTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
}

/**
 * Requests a document and follows redirects. The guarded client checks every address.
 * @throws JobFailure, RetryableError, or the reason of `signal`
 */
export async function fetchDocument(
  { outbound, protocols, signal, now }: Pick<CrawlRequest<unknown>, 'outbound' | 'protocols' | 'signal' | 'now'>,
  { url: firstUrl, headersFor, validators, acceptedStatuses }: DocumentRequest,
): Promise<DocumentResponse> {
  let url = firstUrl
  for (let redirects = 0; ; redirects++) {
    const isKnown = validators !== undefined && redactUrl(url) === validators.at
    const conditions = isKnown ? conditionalHeaders(validators) : {}
    const headers = { ...headersFor(url), ...conditions }
    const response = await outbound.stream({ url, headers, protocols, signal, ...limits }).catch((error: unknown) => {
      throw requestFailure(error, url, signal)
    })
    const { status } = response
    const isNotModified = status === 304 && Object.keys(conditions).length > 0
    if (successStatuses.has(status) || acceptedStatuses.has(status) || isNotModified) return { ...response, url }
    discardBody(response.body)
    if (!redirectStatuses.has(status))
      throw statusFailure(status, url, parseRetryAfterMs(response.headers['retry-after'], now()))
    if (redirects === maxRedirects)
      throw crawlFailure('config', `${redactUrl(firstUrl)} redirects more than ${maxRedirects} times`)
    url = redirectTarget(response, url)
  }
}

function conditionalHeaders({ etag, modified }: Validators): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  }
}

function redirectTarget({ headers }: OutboundStream, from: string): string {
  const [location] = [headers.location ?? []].flat()
  const target = location === undefined ? undefined : resolveUrl(location, from)
  if (target === undefined) throw crawlFailure('config', `${redactUrl(from)} redirects without a valid location`)
  if (isTlsDowngrade(from, target))
    throw crawlFailure('config', `${redactUrl(from)} redirects to ${redactUrl(target)}, which is not https`)
  return target
}

function statusFailure(status: number, url: string, retryAfterMs: number | undefined): Error {
  const message = `${redactUrl(url)} answered ${status}`
  const retryable = (reason: string) =>
    new RetryableError(crawlFailure('transient', `${message}${reason}`), retryAfterMs)
  if (status === 401 || status === 403 || status === 407)
    return crawlFailure('auth', `${message}: it does not accept the credentials`)
  if (status === 202) return retryable(': it is not ready yet')
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return retryable(retryAfterText(retryAfterMs))
  if (status === 404 || status === 410) return crawlFailure('config', `${message}: there is nothing at this address`)
  return crawlFailure('config', `${message}, which is not expected`)
}

const retryAfterText = (retryAfterMs: number | undefined): string =>
  retryAfterMs === undefined ? '' : ` and asks to retry after ${Math.ceil(retryAfterMs / 1000)} s`

/** Closes the response without reading the rest of its body. */
export function discardBody(body: Readable): void {
  body.destroy()
}
