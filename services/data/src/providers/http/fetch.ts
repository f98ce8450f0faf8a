import type { Readable } from 'node:stream'
import type { OutboundStream } from '@wp/outbound'
import { failed } from '../failure.ts'
import type { Crawl } from '../provider.ts'
import { isDowngrade, resolve, shown } from './address.ts'
import type { Validators } from './bookmark.ts'
import type { HeadersFor } from './sender.ts'
import { callFailure, retryAfterMs, Unavailable } from './unavailable.ts'

/** The answer at the end of all redirects. */
export interface Answer extends OutboundStream {
  /** Where it came from. */
  url: string
}

interface Request {
  url: string
  headersFor: HeadersFor
  /** What the server said of the document when it was read last. */
  known: Validators | undefined
  /** Statuses that are no failures here. */
  tolerated: ReadonlySet<number>
}

/** Longest document, in bytes. */
export const maxDocumentBytes = 1_073_741_824
const maxRedirects = 5
/** Of one document, from the lookup to its last row being taken. */
const documentTimeoutMs = 3_600_000
const redirects = new Set([301, 302, 303, 307, 308])
const understood = new Set([200, 203, 204])

/**
 * Asks for a document and follows redirects, each vetted like the first address.
 * @throws JobFailure, Unavailable, the signal's reason
 */
export async function fetchDocument(
  { outbound, protocols, signal, now }: Pick<Crawl<unknown>, 'outbound' | 'protocols' | 'signal' | 'now'>,
  { url, headersFor, known, tolerated }: Request,
): Promise<Answer> {
  let address = url
  for (let redirected = 0; ; redirected++) {
    const conditions = known !== undefined && shown(address) === known.at ? conditionsOf(known) : {}
    const headers = { ...headersFor(address), ...conditions }
    const request = { url: address, headers, protocols, signal, ...limits }
    const answer = await outbound.stream(request).catch((error: unknown) => {
      throw callFailure(error, address, signal)
    })
    const { status } = answer
    if (understood.has(status) || tolerated.has(status) || (status === 304 && Object.keys(conditions).length > 0))
      return { ...answer, url: address }
    discard(answer.body)
    if (!redirects.has(status)) throw refusal(status, address, retryAfterMs(answer.headers['retry-after'], now()))
    if (redirected === maxRedirects) throw failed('config', `${shown(url)} redirects more than ${maxRedirects} times`)
    address = redirectOf(answer, address)
  }
}

const limits = {
  timeoutMs: documentTimeoutMs,
  maxResponseBytes: maxDocumentBytes,
  stallTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
}

function conditionsOf({ etag, modified }: Validators): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  }
}

function redirectOf({ headers }: OutboundStream, from: string): string {
  const [location] = [headers.location ?? []].flat()
  const to = location === undefined ? undefined : resolve(location, from)
  if (to === undefined) throw failed('config', `${shown(from)} redirects without saying where to`)
  if (isDowngrade(from, to)) throw failed('config', `${shown(from)} redirects to ${shown(to)}, which is not https`)
  return to
}

function refusal(status: number, address: string, afterMs: number | undefined): Error {
  const message = `${shown(address)} answered ${status}`
  if (status === 401 || status === 403 || status === 407)
    return failed('auth', `${message}: it does not accept the credentials`)
  if (status === 202) return new Unavailable(failed('transient', `${message}: it is not ready yet`), afterMs)
  const isBusy = status === 408 || status === 425 || status === 429 || status >= 500
  if (isBusy) return new Unavailable(failed('transient', `${message}${comeBack(afterMs)}`), afterMs)
  if (status === 404 || status === 410) return failed('config', `${message}: there is nothing at this address`)
  return failed('config', `${message}, which was not expected`)
}

const comeBack = (afterMs: number | undefined) =>
  afterMs === undefined ? '' : ` and asks to come back in ${Math.ceil(afterMs / 1000)} s`

/** What a refusal says beside its status is not read. */
export function discard(body: Readable): void {
  body.destroy()
}
