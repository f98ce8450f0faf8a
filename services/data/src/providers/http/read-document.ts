import { createHash } from 'node:crypto'
import { type HttpConfig, Problem } from '@wp/contracts'
import { jsonOf } from '../../ingest/batch.ts'
import type { Row } from '../../rows/row.ts'
import { failed } from '../failure.ts'
import type { Crawl, Page } from '../provider.ts'
import { shown } from './address.ts'
import type { Validators } from './bookmark.ts'
import { contentOf } from './content.ts'
import { type Answer, discard, fetchDocument } from './fetch.ts'
import { nextLink } from './link.ts'
import type { HeadersFor } from './sender.ts'
import type { SinceOrder } from './since.ts'
import { callFailure, type Patience, Unavailable, waitAfter } from './unavailable.ts'

/** What is asked for, and how. */
export interface Reading {
  url: string
  /** Which page it is, where there are several; for what is said of its rows. */
  page: number | undefined
  headersFor: HeadersFor
  order: SinceOrder
  known: Validators | undefined
  tolerated: ReadonlySet<number>
  patience: Patience
}

/** How a document ended. */
export interface Ended {
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

const batchRows = 1000
const batchPieces = 16

/**
 * Reads one document, a batch of rows at a time. While none of them has been handed over, it is asked for again where
 * that may help.
 * @throws JobFailure with address and place, the signal's reason
 */
export async function* readDocument(crawl: Crawl<HttpConfig>, reading: Reading): AsyncGenerator<Page, Ended> {
  for (let tried = 1; ; tried++) {
    const handed = { any: false }
    try {
      return yield* readOnce(crawl, reading, handed)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      if (handed.any) throw error.failure
      crawl.log.info({ err: error.cause, tried }, 'a document of a source is asked for again')
      await waitAfter(error, tried, reading.patience, crawl.signal)
    }
  }
}

const nothing: Ended = {
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
  crawl: Crawl<HttpConfig>,
  reading: Reading,
  handed: { any: boolean },
): AsyncGenerator<Page, Ended> {
  const { config, signal } = crawl
  const answer = await fetchDocument(crawl, reading)
  const { status, url, headers } = answer
  try {
    if (status !== 200 && status !== 203) return { ...nothing, status, url }
    const received = measured(answer, signal, reading.page === undefined)
    const content = contentOf(answer, config)
    const digest = createHash('sha256')
    const batch = createBatch(reading.page)
    let greatest: string | undefined
    for await (const rows of content.rows(received.bytes())) {
      // A page that is the same as the one before is looked for among pages that are counted, and only there.
      if (config.paging?.type === 'page') for (const row of rows) digest.update(jsonOf(row) ?? '')
      greatest = reading.order.greater(greatest, reading.order.greatestOf(rows))
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
      link: nextLink(headers.link),
      cursor: content.cursor(),
      validators: validatorsOf(answer),
    }
  } catch (error) {
    throw error instanceof Problem ? unreadable(error, url) : error
  } finally {
    discard(answer.body)
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
      for (const row of some) rows.push(page === undefined ? row : onPage(row, page))
    },
    /** A batch to hand over now, if there is one. */
    full(): Row[] | undefined {
      if (rows.length < batchRows && (pieces < batchPieces || rows.length === 0)) return undefined
      pieces = 0
      return rows.splice(0, batchRows)
    },
    rest: () => rows,
    count: () => count,
  }
}

const onPage = (row: Row, page: number): Row =>
  'reason' in row ? { ...row, reason: `page ${page}: ${row.reason}` } : { ...row, page }

function measured({ body, headers, url }: Answer, signal: AbortSignal, isSingle: boolean) {
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
      throw callFailure(error, url, signal)
    }
  }
  return { bytes, progress: () => (length > 0 && isSingle ? { progress: Math.min(1, size / length) } : {}) }
}

function validatorsOf({ headers, url }: Answer): Validators | undefined {
  const [etag, modified] = [headers.etag, headers['last-modified']].map((field) => [field ?? []].flat()[0])
  if (etag === undefined && modified === undefined) return undefined
  return { at: shown(url), ...(etag === undefined ? {} : { etag }), ...(modified === undefined ? {} : { modified }) }
}

function unreadable(error: Problem, url: string) {
  const code = error.code === 'payload_too_large' ? 'config' : 'schema'
  return failed(code, `${shown(url)}: ${error.detail}`, error)
}
