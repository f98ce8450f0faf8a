import type { HttpConfig } from '@wp/contracts'
import { createRateGuard } from '../minimum-rate.ts'
import type { RetryPolicy } from '../retry.ts'
import type { CrawlRequest, CrawlResult, Page, SourceReader } from '../source-reader.ts'
import { type CrawlCursor, type PagePosition, parseCrawlCursor, requestDigest } from './crawl-cursor.ts'
import { createPager } from './paging.ts'
import { readDocument } from './read-document.ts'
import { createHeadersForUrl } from './request-headers.ts'
import { createSinceComparator, sinceParameterValue } from './since-parameter.ts'
import { redactUrl, withQueryParameter } from './url.ts'

const defaultRetryPolicy: RetryPolicy = { maxAttempts: 4, initialBackoffMs: 1000, maxBackoffMs: 60_000 }
const noStatuses: ReadonlySet<number> = new Set()
/** Statuses of a numbered page after the last one. */
const missingPageStatuses: ReadonlySet<number> = new Set([404])
/** Statuses of a page whose link or cursor has expired since the crawl was interrupted. */
const expiredPageStatuses: ReadonlySet<number> = new Set([400, 404, 410, 422])

/** Reads sources at web addresses. */
export const httpReader: SourceReader<HttpConfig> = createHttpReader()

/**
 * Reads documents at web addresses: a single one, or a first page and those that follow it.
 *
 * The cursor holds: for a single document its validators, for a conditional request next time; with `since` the
 * greatest value, set only after a complete crawl, because rows may come in any order; during an incremental crawl of
 * several pages the position of the next one.
 */
export function createHttpReader(options: Partial<RetryPolicy> = {}): SourceReader<HttpConfig> {
  return {
    provider: 'http',
    address: ({ config }) => redactUrl(config.url),
    crawl: (request) => crawlPages(request, { ...defaultRetryPolicy, ...options }),
  }
}

async function* crawlPages(
  request: CrawlRequest<HttpConfig>,
  retryPolicy: RetryPolicy,
): AsyncGenerator<Page, CrawlResult> {
  const { config, integration, mode, now } = request
  const headersFor = createHeadersForUrl(config, integration)
  const of = requestDigest(config, integration)
  const previous = parseCrawlCursor(request.cursor, of, now())
  const isIncremental = mode === 'incremental'
  const isSingle = config.paging === undefined && config.since === undefined
  const since = isIncremental ? previous.since : undefined
  const interrupted = isIncremental ? previous.under_way : undefined
  const rateGuard = createRateGuard(now)
  const pager = createPager(config, firstPageUrl(config, since))
  const sinceComparator = createSinceComparator(config)
  let position: PagePosition = interrupted?.place ?? { first: true }
  let greatest = interrupted?.greatest ?? since
  let pageCount = interrupted?.pages ?? 0
  let isResumed = interrupted !== undefined

  for (;;) {
    pageCount++
    const page = yield* readDocument(request, {
      url: pager.urlOf(position),
      page: config.paging === undefined ? undefined : pageCount,
      headersFor,
      rateGuard,
      sinceComparator,
      validators: isSingle ? previous.document : undefined,
      acceptedStatuses: isResumed ? expiredPageStatuses : missingStatuses(config, position),
      retryPolicy,
    })
    if (isResumed && expiredPageStatuses.has(page.status)) {
      isResumed = false
      position = { first: true }
      pageCount = 0
      greatest = since
      continue
    }
    isResumed = false
    if (page.status === 304) return 'unchanged'
    greatest = sinceComparator.max(greatest, page.greatest)
    const next = pager.next(position, page, pageCount)
    if (next === undefined) {
      const cursor: CrawlCursor = { of, since: greatest, document: isSingle ? page.validators : undefined }
      yield { rows: page.rows, cursor: JSON.stringify(cursor), progress: 1 }
      return 'complete'
    }
    const cursor: CrawlCursor = { of, since, under_way: { place: next, pages: pageCount, greatest, at: now() } }
    yield isIncremental ? { rows: page.rows, cursor: JSON.stringify(cursor) } : { rows: page.rows }
    position = next
  }
}

const missingStatuses = ({ paging }: HttpConfig, position: PagePosition): ReadonlySet<number> =>
  paging?.type === 'page' && !('first' in position) ? missingPageStatuses : noStatuses

function firstPageUrl(config: HttpConfig, since: string | undefined): string {
  const { url } = config
  if (config.since === undefined || since === undefined) return url
  return withQueryParameter(url, config.since.parameter, sinceParameterValue(since, config))
}
