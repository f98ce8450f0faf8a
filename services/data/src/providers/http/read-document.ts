import { createHash } from 'node:crypto'
import { type HttpConfig, Problem, type SourceFormat, type SyncWarning } from '@wp/contracts'
import { stringifyJson } from '../../ingest/batch.ts'
import { watchEnd } from '../../ingest/check-deletions.ts'
import { createRowsCheck } from '../../ingest/check-fields.ts'
import type { Row } from '../../parsers/row.ts'
import type { DetectedFormat } from '../../schema/source-format.ts'
import { crawlFailure, failureCodeOf } from '../crawl-failure.ts'
import type { RateGuard } from '../minimum-rate.ts'
import { RetryableError, type RetryPolicy, waitBeforeRetry } from '../retry.ts'
import { createRowBatcher } from '../row-batcher.ts'
import type { CrawlRequest, Page } from '../source-reader.ts'
import { openContent } from './content-parser.ts'
import type { Validators } from './crawl-cursor.ts'
import { type DocumentResponse, discardBody, fetchDocument } from './fetch-document.ts'
import { findNextLink } from './link-header.ts'
import { requestFailure } from './request-failure.ts'
import type { HeadersForUrl } from './request-headers.ts'
import type { SinceComparator } from './since-parameter.ts'
import { redactUrl } from './url.ts'

export interface DocumentReadOptions {
  url: string
  /** Number of the page, for the reasons of its bad rows; undefined if the source has no pages. */
  page: number | undefined
  headersFor: HeadersForUrl
  rateGuard: RateGuard
  sinceComparator: SinceComparator
  /** Validators for a conditional request. */
  validators: Validators | undefined
  /** Statuses that end the document without rows instead of failing. */
  acceptedStatuses: ReadonlySet<number>
  retryPolicy: RetryPolicy
  /** The known part of the format. */
  format: SourceFormat
}

/** Properties of a document that was read completely. */
export interface DocumentResult {
  status: number
  /** Its address after redirects. */
  url: string
  /** The last rows, which were not yielded. */
  rows: Row[]
  /** Number of all rows. */
  count: number
  /** Greatest value of the `since` field. */
  greatest: string | undefined
  /** Digest of the rows of a page. */
  digest: string
  /** The first rows of a page as texts. */
  firstRows: string[]
  /** The last row of such a page. */
  lastRow: string
  /** Target of the link to the next page, exactly as in its `Link` field. */
  link: string | undefined
  /** Cursor or address of the next page in the body. */
  cursor: string | null
  validators: Validators | undefined
  /** Undefined if it has no body. */
  format: DetectedFormat | undefined
  warnings: SyncWarning[]
  /** True if it is one JSON object in place of an array. */
  isObject: boolean
  /** A sign that the end of the document is missing. */
  doubt?: string | undefined
}

/**
 * Reads one document and yields its rows in batches. Repeats a failed request as long as no batch was yielded.
 * @throws JobFailure with address and position, or the reason of the signal
 */
export async function* readDocument(
  request: CrawlRequest<HttpConfig>,
  options: DocumentReadOptions,
): AsyncGenerator<Page, DocumentResult> {
  const { log, signal } = request
  for (let attempt = 1; ; attempt++) {
    const progress = { hasYielded: false }
    try {
      return yield* readOnce(request, options, progress)
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error
      if (progress.hasYielded) throw error.failure
      log.info({ err: error.cause, attempt, event: 'source_document.retried' }, 'document request failed; retrying')
      await waitBeforeRetry(error, attempt, options.retryPolicy, signal)
    }
  }
}

/** Rows of which two pages are compared. */
const comparedRows = 4

const emptyResult: DocumentResult = {
  status: 204,
  url: '',
  rows: [],
  count: 0,
  greatest: undefined,
  digest: '',
  firstRows: [],
  lastRow: '',
  link: undefined,
  cursor: null,
  validators: undefined,
  format: undefined,
  warnings: [],
  isObject: false,
}

/** The elements of an array are numbered. */
const isSingleObject = ([first]: readonly Row[], count: number): boolean =>
  count === 1 && first !== undefined && !('reason' in first) && first.element === undefined

async function* readOnce(
  request: CrawlRequest<HttpConfig>,
  { sinceComparator, rateGuard, page, ...options }: DocumentReadOptions,
  progress: { hasYielded: boolean },
): AsyncGenerator<Page, DocumentResult> {
  const { config, signal } = request
  const response = await fetchDocument(request, options)
  const { status, url, headers } = response
  try {
    if (status !== 200 && status !== 203) return { ...emptyResult, status, url }
    const body = measureBody(response, rateGuard, signal, page === undefined)
    const end = watchEnd(body.bytes(), headers)
    const content = await openContent(response, end.chunks, request, options.format, request.now)
    const { format, warnings } = content
    const check = createRowsCheck(config, request.knownFields)
    const digest = createHash('sha256')
    const batcher = createRowBatcher(page)
    const firstRows: string[] = []
    let lastRow = ''
    let greatest: string | undefined
    for await (const rows of content.rows()) {
      check.add(rows)
      // Pages are compared with those before.
      if (config.paging !== undefined)
        for (const row of rows) {
          // Elements and lines are numbered within their page.
          lastRow = stringifyJson('value' in row ? row.value : row) ?? ''
          digest.update(lastRow)
          if (firstRows.length < comparedRows) firstRows.push(lastRow)
        }
      greatest = sinceComparator.max(greatest, sinceComparator.maxOf(rows))
      batcher.add(rows)
      for (let batch = batcher.takeFull(); batch !== undefined; batch = batcher.takeFull()) {
        check.assert()
        progress.hasYielded = true
        yield { rows: batch, format, warnings, ...body.progress() }
      }
    }
    check.assert()
    return {
      status,
      url,
      greatest,
      rows: batcher.rest(),
      count: batcher.count(),
      digest: digest.digest('base64url'),
      firstRows,
      lastRow,
      link: findNextLink(headers.link),
      cursor: content.cursor(),
      format,
      warnings,
      isObject: format.detected.type === 'json' && isSingleObject(batcher.rest(), batcher.count()),
      validators: toValidators(response),
      doubt: end.doubt(format.detected.type),
    }
  } catch (error) {
    throw error instanceof Problem ? parseFailure(error, url) : error
  } finally {
    discardBody(response.body)
  }
}

/** Counts the bytes of a body. The progress is known only for a single document with a content length. */
function measureBody(
  { body, headers, url }: DocumentResponse,
  rateGuard: RateGuard,
  signal: AbortSignal,
  isSingle: boolean,
) {
  const contentLength = Number([headers['content-length'] ?? []].flat()[0] ?? Number.NaN)
  let size = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of rateGuard.watch(body, redactUrl(url))) {
        size += chunk.length
        yield chunk
      }
    } catch (error) {
      throw requestFailure(error, url, signal)
    }
  }
  const isKnown = contentLength > 0 && isSingle
  return { bytes, progress: () => (isKnown ? { progress: Math.min(1, size / contentLength) } : {}) }
}

function toValidators({ headers, url }: DocumentResponse): Validators | undefined {
  const [etag, modified] = [headers.etag, headers['last-modified']].map((field) => [field ?? []].flat()[0])
  if (etag === undefined && modified === undefined) return undefined
  return {
    at: redactUrl(url),
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { modified }),
  }
}

function parseFailure(error: Problem, url: string): Error {
  return crawlFailure(failureCodeOf(error), `${redactUrl(url)}: ${error.detail}`, error)
}
