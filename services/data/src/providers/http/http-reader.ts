import type { HttpConfig, SyncWarning } from '@wp/contracts'
import { knownFormatOf } from '../../schema/source-format.ts'
import { crawlFailure } from '../crawl-failure.ts'
import { createRateGuard } from '../minimum-rate.ts'
import { RetryableError, type RetryPolicy } from '../retry.ts'
import type { CrawlRequest, CrawlResult, DocumentHead, HeadRequest, Page, SourceReader } from '../source-reader.ts'
import { parseContentType } from './content-parser.ts'
import { type CrawlCursor, type PagePosition, parseCrawlCursor, requestDigest } from './crawl-cursor.ts'
import { discardBody, fetchDocument } from './fetch-document.ts'
import { createPageSizes } from './page-sizes.ts'
import { createPager } from './paging.ts'
import { type DocumentResult, readDocument } from './read-document.ts'
import { requestFailure } from './request-failure.ts'
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
    openHead,
  }
}

async function openHead(request: HeadRequest<HttpConfig>): Promise<DocumentHead> {
  const { config, integration, now, signal } = request
  const headersFor = createHeadersForUrl(config, integration)
  const asked = { url: config.url, headersFor, validators: undefined, acceptedStatuses: noStatuses }
  const { body, headers, url } = await fetchDocument(request, asked).catch((error: unknown) => {
    throw error instanceof RetryableError ? error.failure : error
  })
  const { type, charset } = parseContentType(headers['content-type'])
  async function* chunks() {
    try {
      yield* createRateGuard(now).watch(body, redactUrl(url))
    } catch (error) {
      const failure = requestFailure(error, url, signal)
      throw failure instanceof RetryableError ? failure.failure : failure
    } finally {
      discardBody(body)
    }
  }
  return { chunks: chunks(), contentType: type, charset: charset ?? config.charset, fileName: new URL(url).pathname }
}

/** Longer than most functions: the pages of a crawl share its cursor and its counts. */
async function* crawlPages(
  request: CrawlRequest<HttpConfig>,
  retryPolicy: RetryPolicy,
): AsyncGenerator<Page, CrawlResult> {
  const { config, integration, mode, now } = request
  const headersFor = createHeadersForUrl(config, integration)
  const of = requestDigest(config, integration)
  const startedAt = now()
  const previous = parseCrawlCursor(request.cursor, of, startedAt)
  const isIncremental = mode === 'incremental'
  const last = parseCrawlCursor(request.lastCursor, of, startedAt)
  const isSingle = config.paging === undefined && config.since === undefined
  const since = isIncremental ? previous.since : undefined
  // Without a key, equal rows are counted from the first page on.
  const interrupted = isIncremental && config.key ? previous.under_way : undefined
  const rateGuard = createRateGuard(now)
  const pager = createPager(config, firstPageUrl(config, since))
  const sinceComparator = createSinceComparator(config)
  let position: PagePosition = interrupted?.place ?? { first: true }
  let greatest = interrupted?.greatest ?? since
  let pageCount = interrupted?.pages ?? 0
  let isResumed = interrupted !== undefined
  let isWhole = since === undefined && !isResumed
  let format = knownFormatOf(config)
  let isArray = mode === 'full' && request.knownFields.length > 0 && request.recordCount > 1
  let sizes = createPageSizes()
  let cut: string | undefined

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
      format,
    })
    if (isResumed && expiredPageStatuses.has(page.status)) {
      isResumed = false
      isWhole = since === undefined
      position = { first: true }
      pageCount = 0
      greatest = since
      sizes = createPageSizes()
      continue
    }
    isResumed = false
    if (page.status === 304) return 'unchanged'
    if (isArray && page.isObject) throw notAnArray(page.url)
    isArray ||= page.count > 0 && !page.isObject
    const { rows } = page
    const warnings = [...page.warnings, ...furtherPages(config, page)]
    const content = { rows, warnings, ...(page.format === undefined ? {} : { format: page.format }) }
    format = page.format?.detected ?? format
    sizes.add(page.count)
    cut ??= page.doubt
    greatest = sinceComparator.max(greatest, page.greatest)
    const next = pager.next(position, page, pageCount)
    if (next === undefined) {
      const cursor: CrawlCursor = {
        of,
        since: greatest,
        document: isSingle ? page.validators : undefined,
        pages: config.paging !== undefined && isWhole ? sizes.filledPages(isIncremental ? last.pages : 0) : last.pages,
      }
      yield { ...content, cursor: JSON.stringify(cursor), progress: 1 }
      const doubt = isIncremental ? undefined : (cut ?? sizes.doubt(last.pages))
      return doubt === undefined ? 'complete' : { doubt }
    }
    const interruptedAt = { place: next, pages: pageCount, greatest, at: now() }
    const cursor: CrawlCursor = { of, since, pages: last.pages, under_way: interruptedAt }
    yield isIncremental ? { ...content, cursor: JSON.stringify(cursor) } : content
    position = next
  }
}

/** A page that names the next one in a usual way says that a source without paging has more rows. */
const furtherPages = ({ paging }: HttpConfig, { link, cursor }: DocumentResult): SyncWarning[] =>
  paging !== undefined || (link === undefined && cursor === null)
    ? []
    : [
        {
          code: 'further_pages',
          message:
            'The response names a next page, but the source has no paging: only the first page is read. Set `paging`',
        },
      ]

const notAnArray = (url: string) =>
  crawlFailure('unexpected_format', `${redactUrl(url)}: It is one JSON object, but the rows were in an array before`)

const missingStatuses = ({ paging }: HttpConfig, position: PagePosition): ReadonlySet<number> =>
  (paging?.type === 'page' || paging?.type === 'offset') && !('first' in position) ? missingPageStatuses : noStatuses

function firstPageUrl(config: HttpConfig, since: string | undefined): string {
  const { url } = config
  if (config.since === undefined || since === undefined) return url
  return withQueryParameter(url, config.since.parameter, sinceParameterValue(since, config))
}
