import type { HttpConfig } from '@wp/contracts'
import type { Crawl, CrawlEnd, Page, SourceReader } from '../provider.ts'
import { withParameter } from './address.ts'
import { type Bookmark, digestOf, openBookmark, type Place } from './bookmark.ts'
import { createPages } from './paging.ts'
import { type Ended, type Reading, readDocument } from './read-document.ts'
import { createSender } from './sender.ts'
import { createSinceOrder, sinceValue } from './since.ts'
import type { Patience } from './unavailable.ts'

const patience: Patience = { tries: 4, firstWaitMs: 1000, longestWaitMs: 60_000 }
const none: ReadonlySet<number> = new Set()
/** How servers say that there is no such page: behind the last one, or because what led to it has expired. */
const beyond: ReadonlySet<number> = new Set([404])
const expired: ReadonlySet<number> = new Set([400, 404, 410, 422])

/** Sources at a web address. */
export const httpReader: SourceReader<HttpConfig> = createHttpReader()

/**
 * Reads documents at web addresses: one, or a first one and those that follow it.
 *
 * What a crawl leaves behind: of a single document what the server said of its state, to be asked next time whether it
 * has changed; with `since` the greatest value, once a crawl has come to its end, since rows may come in any order; and
 * while an incremental crawl goes from page to page, the page it is at.
 */
export function createHttpReader(options: Partial<Patience> = {}): SourceReader<HttpConfig> {
  return { provider: 'http', crawl: (crawl) => run(crawl, { ...patience, ...options }) }
}

async function* run(crawl: Crawl<HttpConfig>, patience: Patience): AsyncGenerator<Page, CrawlEnd> {
  const { config, connection, mode, now } = crawl
  const headersFor = createSender(config, connection)
  const of = digestOf(config, connection)
  const left = openBookmark(crawl.cursor, of, now())
  const isIncremental = mode === 'incremental'
  const isSingle = config.paging === undefined && config.since === undefined
  const since = isIncremental ? left.since : undefined
  const pages = createPages(config, startOf(config, since))
  const underWay = isIncremental ? left.under_way : undefined
  const order = createSinceOrder(config)
  let greatest = underWay?.greatest ?? since
  let place: Place = underWay?.place ?? { first: true }
  let count = underWay?.pages ?? 0
  let isResumed = underWay !== undefined

  for (;;) {
    count++
    const asked: Reading = {
      url: pages.addressOf(place),
      page: config.paging === undefined ? undefined : count,
      headersFor,
      order,
      known: isSingle ? left.document : undefined,
      tolerated: isResumed ? expired : config.paging?.type === 'page' && !('first' in place) ? beyond : none,
      patience,
    }
    const ended: Ended = yield* readDocument(crawl, asked)
    if (isResumed && expired.has(ended.status)) {
      isResumed = false
      place = { first: true }
      count = 0
      greatest = since
      continue
    }
    isResumed = false
    if (ended.status === 304) return 'unchanged'
    greatest = order.greater(greatest, ended.greatest)
    const next = pages.after(place, ended, count)
    if (next === undefined) {
      const left: Bookmark = { of, since: greatest, document: isSingle ? ended.validators : undefined }
      yield { rows: ended.rows, cursor: JSON.stringify(left), progress: 1 }
      return 'complete'
    }
    const goesOn: Bookmark = { of, since, under_way: { place: next, pages: count, greatest, at: now() } }
    yield isIncremental ? { rows: ended.rows, cursor: JSON.stringify(goesOn) } : { rows: ended.rows }
    place = next
  }
}

function startOf(config: HttpConfig, since: string | undefined): string {
  const { url } = config
  if (config.since === undefined || since === undefined) return url
  return withParameter(url, config.since.parameter, sinceValue(since, config))
}
