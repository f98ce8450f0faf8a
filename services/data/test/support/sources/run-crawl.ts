import { createOutbound, type OutboundOptions } from '@wp/outbound'
import { createLogger } from '@wp/service'
import type { CrawlRequest, CrawlResult, Page, SourceReader } from '../../../src/providers/source-reader.ts'
import { startTimer } from '../../../src/providers/source-reader.ts'

/** Result of a complete crawl. */
export interface CrawlOutcome {
  pages: Page[]
  end: CrawlResult
  /** Values of the rows, or reasons of invalid ones. */
  values: unknown[]
  /** Cursor of the last page that has one. */
  cursor: string | undefined
}

/** Creates a guarded client that may connect to loopback addresses. */
export const localOutbound = (options: OutboundOptions = {}) =>
  createOutbound({ allowCidrs: ['127.0.0.0/8'], ...options })

/** Returns the request of a first crawl. */
export function crawlRequest<Config>(
  given: Pick<CrawlRequest<Config>, 'config' | 'integration' | 'outbound'> & Partial<CrawlRequest<Config>>,
): CrawlRequest<Config> {
  return {
    mode: 'incremental',
    cursor: undefined,
    knownFields: [],
    recordCount: 0,
    findPartVersions: async () => new Map(),
    findKnownParts: async () => new Set(),
    protocols: ['https:', 'http:'],
    signal: new AbortController().signal,
    log: createLogger('data', 'silent'),
    now: Date.now,
    startTimer,
    ...given,
  }
}

/** Reads a source completely. */
export async function crawlAll<Config>(
  reader: SourceReader<Config>,
  crawl: CrawlRequest<Config>,
): Promise<CrawlOutcome> {
  const pages: Page[] = []
  const iterator = reader.crawl(crawl)
  for (;;) {
    const next = await iterator.next()
    if (next.done === true)
      return {
        pages,
        end: next.value,
        values: pages.flatMap(({ rows }) => rows.map((row) => ('reason' in row ? row.reason : row.value))),
        cursor: pages.findLast(({ cursor }) => cursor !== undefined)?.cursor,
      }
    pages.push(next.value)
  }
}

/** Returns the failure of a crawl. */
export async function crawlFailureOf<Config>(
  reader: SourceReader<Config>,
  crawl: CrawlRequest<Config>,
): Promise<unknown> {
  try {
    await crawlAll(reader, crawl)
  } catch (error) {
    return error instanceof Error && 'error' in error ? error.error : error
  }
  throw new Error('the crawl did not fail')
}
