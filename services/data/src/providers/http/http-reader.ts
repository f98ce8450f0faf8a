import type { HttpConfig } from '@wp/contracts'
import type { RetryPolicy } from '../retry.ts'
import type { CrawlRequest, CrawlResult, Page, SourceReader } from '../source-reader.ts'
import { type CrawlCursor, type PagePosition, parseCrawlCursor, requestDigest } from './crawl-cursor.ts'
import { createPager } from './paging.ts'
import { type DocumentReadOptions, type DocumentResult, readDocument } from './read-document.ts'
import { createHeadersForUrl } from './request-headers.ts'
import { createSinceComparator, sinceParameterValue } from './since-parameter.ts'
import { withQueryParameter } from './url.ts'

const defaultRetryPolicy: RetryPolicy = { maxAttempts: 4, initialBackoffMs: 1000, maxBackoffMs: 60_000 }
const none: ReadonlySet<number> = new Set()
/** How servers say that there is no such page: behind the last one, or because what led to it has expired. */
const missingPageStatuses: ReadonlySet<number> = new Set([404])
const expiredPageStatuses: ReadonlySet<number> = new Set([400, 404, 410, 422])

/** Sources at a web address. */
export const httpReader: SourceReader<HttpConfig> = createHttpReader()

/**
 * Reads documents at web addresses: one, or a first one and those that follow it.
 *
 * What a crawl leaves behind: of a single document what the server said of its state, to be asked next time whether it
 * has changed; with `since` the greatest value, once a crawl has come to its end, since rows may come in any order; and
 * while an incremental crawl goes from page to page, the page it is at.
 */
export function createHttpReader(options: Partial<RetryPolicy> = {}): SourceReader<HttpConfig> {
  return { provider: 'http', crawl: (crawl) => crawlPages(crawl, { ...defaultRetryPolicy, ...options }) }
}

async function* crawlPages(crawl: CrawlRequest<HttpConfig>, patience: RetryPolicy): AsyncGenerator<Page, CrawlResult> {
  const { config, integration, mode, now } = crawl
  const headersFor = createHeadersForUrl(config, integration)
  const of = requestDigest(config, integration)
  const left = parseCrawlCursor(crawl.cursor, of, now())
  const isIncremental = mode === 'incremental'
  const isSingle = config.paging === undefined && config.since === undefined
  const since = isIncremental ? left.since : undefined
  const pages = createPager(config, firstPageUrl(config, since))
  const underWay = isIncremental ? left.under_way : undefined
  const order = createSinceComparator(config)
  let greatest = underWay?.greatest ?? since
  let place: PagePosition = underWay?.place ?? { first: true }
  let count = underWay?.pages ?? 0
  let isResumed = underWay !== undefined

  for (;;) {
    count++
    const asked: DocumentReadOptions = {
      url: pages.urlOf(place),
      page: config.paging === undefined ? undefined : count,
      headersFor,
      sinceComparator: order,
      validators: isSingle ? left.document : undefined,
      acceptedStatuses: isResumed
        ? expiredPageStatuses
        : config.paging?.type === 'page' && !('first' in place)
          ? missingPageStatuses
          : none,
      retryPolicy: patience,
    }
    const ended: DocumentResult = yield* readDocument(crawl, asked)
    if (isResumed && expiredPageStatuses.has(ended.status)) {
      isResumed = false
      place = { first: true }
      count = 0
      greatest = since
      continue
    }
    isResumed = false
    if (ended.status === 304) return 'unchanged'
    greatest = order.max(greatest, ended.greatest)
    const next = pages.next(place, ended, count)
    if (next === undefined) {
      const left: CrawlCursor = { of, since: greatest, document: isSingle ? ended.validators : undefined }
      yield { rows: ended.rows, cursor: JSON.stringify(left), progress: 1 }
      return 'complete'
    }
    const goesOn: CrawlCursor = { of, since, under_way: { place: next, pages: count, greatest, at: now() } }
    yield isIncremental ? { rows: ended.rows, cursor: JSON.stringify(goesOn) } : { rows: ended.rows }
    place = next
  }
}

function firstPageUrl(config: HttpConfig, since: string | undefined): string {
  const { url } = config
  if (config.since === undefined || since === undefined) return url
  return withQueryParameter(url, config.since.parameter, sinceParameterValue(since, config))
}
