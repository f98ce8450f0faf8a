import { createHash } from 'node:crypto'
import { type HttpConfig, Problem } from '@wp/contracts'
import { stringifyJson } from '../../ingest/batch.ts'
import type { Row } from '../../parsers/row.ts'
import { crawlFailure } from '../crawl-failure.ts'
import { RetryableError, type RetryPolicy, requestFailure, waitBeforeRetry } from '../retry.ts'
import type { CrawlRequest, Page } from '../source-reader.ts'
import { createContentParser } from './content-parser.ts'
import type { Validators } from './crawl-cursor.ts'
import { type DocumentResponse, discardBody, fetchDocument } from './fetch-document.ts'
import { findNextLink } from './link-header.ts'
import type { HeadersForUrl } from './request-headers.ts'
import type { SinceComparator } from './since-parameter.ts'
import { redactUrl } from './url.ts'

/** What is asked for, and how. */
export interface DocumentReadOptions {
  url: string
  /** Which page it is, where there are several; for what is said of its rows. */
  page: number | undefined
  headersFor: HeadersForUrl
  sinceComparator: SinceComparator
  validators: Validators | undefined
  acceptedStatuses: ReadonlySet<number>
  retryPolicy: RetryPolicy
}

/** How a document ended. */
export interface DocumentResult {
  status: number
  /** Where it came from, after redirects. */
  url: string
  /** Its last rows. */
  rows: Row[]
  /** All of them. */
  count: number
  /** The greatest value of the `since` field in them. */
  greatest: string | undefined
  /** Of what its rows say. */
  digest: string
  /** As it is written in its `Link` field. */
  link: string | undefined
  cursor: string | null
  validators: Validators | undefined
}

const maxBatchRows = 1000
const maxBatchPieces = 16

/**
 * Reads one document, a batch of rows at a time. While none of them has been handed over, it is asked for again where
 * that may help.
 * @throws JobFailure with address and place, the signal's reason
 */
export async function* readDocument(
  crawl: CrawlRequest<HttpConfig>,
  reading: DocumentReadOptions,
): AsyncGenerator<Page, DocumentResult> {
  for (let tried = 1; ; tried++) {
    const delivery = { any: false }
    try {
      return yield* readOnce(crawl, reading, delivery)
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error
      if (delivery.any) throw error.failure
      crawl.log.info({ err: error.cause, tried }, 'a document of a source is asked for again')
      await waitBeforeRetry(error, tried, reading.retryPolicy, crawl.signal)
    }
  }
}

const emptyResult: DocumentResult = {
  status: 204,
  url: '',
  rows: [],
  count: 0,
  greatest: undefined,
  digest: '',
  link: undefined,
  cursor: null,
  validators: undefined,
}

async function* readOnce(
  crawl: CrawlRequest<HttpConfig>,
  reading: DocumentReadOptions,
  handed: { any: boolean },
): AsyncGenerator<Page, DocumentResult> {
  const { config, signal } = crawl
  const answer = await fetchDocument(crawl, reading)
  const { status, url, headers } = answer
  try {
    if (status !== 200 && status !== 203) return { ...emptyResult, status, url }
    const received = measureBody(answer, signal, reading.page === undefined)
    const content = createContentParser(answer, config)
    const digest = createHash('sha256')
    const batch = createBatch(reading.page)
    let greatest: string | undefined
    for await (const rows of content.rows(received.bytes())) {
      // A page that is the same as the one before is looked for among pages that are counted, and only there.
      if (config.paging?.type === 'page') for (const row of rows) digest.update(stringifyJson(row) ?? '')
      greatest = reading.sinceComparator.max(greatest, reading.sinceComparator.maxOf(rows))
      batch.add(rows)
      for (let full = batch.full(); full !== undefined; full = batch.full()) {
        handed.any = true
        yield { rows: full, ...received.progress() }
      }
    }
    return {
      status,
      url,
      rows: batch.rest(),
      count: batch.count(),
      greatest,
      digest: digest.digest('base64url'),
      link: findNextLink(headers.link),
      cursor: content.cursor(),
      validators: toValidators(answer),
    }
  } catch (error) {
    throw error instanceof Problem ? parseFailure(error, url) : error
  } finally {
    discardBody(answer.body)
  }
}

/** Gathers rows, so that many small pieces make few batches, and cuts large ones. */
function createBatch(page: number | undefined) {
  const rows: Row[] = []
  let pieces = 0
  let count = 0
  return {
    add(some: readonly Row[]): void {
      pieces++
      count += some.length
      for (const row of some) rows.push(page === undefined ? row : withPage(row, page))
    },
    /** A batch to hand over now, if there is one. */
    full(): Row[] | undefined {
      if (rows.length < maxBatchRows && (pieces < maxBatchPieces || rows.length === 0)) return undefined
      pieces = 0
      return rows.splice(0, maxBatchRows)
    },
    rest: () => rows,
    count: () => count,
  }
}

const withPage = (row: Row, page: number): Row =>
  'reason' in row ? { ...row, reason: `page ${page}: ${row.reason}` } : { ...row, page }

function measureBody({ body, headers, url }: DocumentResponse, signal: AbortSignal, isSingle: boolean) {
  const length = Number([headers['content-length'] ?? []].flat()[0] ?? Number.NaN)
  let size = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        const bytes: Buffer = chunk // a stream of outbound gives nothing else
        size += bytes.length
        yield bytes
      }
    } catch (error) {
      throw requestFailure(error, url, signal)
    }
  }
  return { bytes, progress: () => (length > 0 && isSingle ? { progress: Math.min(1, size / length) } : {}) }
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

function parseFailure(error: Problem, url: string) {
  const code = error.code === 'payload_too_large' ? 'config' : 'schema'
  return crawlFailure(code, `${redactUrl(url)}: ${error.detail}`, error)
}
