import { createOutbound, type OutboundOptions } from '@wp/outbound'
import { createLogger } from '@wp/service'
import type { Crawl, CrawlEnd, Page, SourceReader } from '../../src/providers/provider.ts'

/** What a crawl read. */
export interface Crawled {
  pages: Page[]
  end: CrawlEnd
  /** What rows say, without where they stand; the reasons of those that could not be read. */
  values: unknown[]
  /** What the last page that had one said. */
  cursor: string | undefined
}

/** A guarded client that may call servers of tests. */
export const nearOutbound = (options: OutboundOptions = {}) =>
  createOutbound({ allowCidrs: ['127.0.0.0/8'], ...options })

/** A crawl as the sync begins one, from the beginning and with nothing read before. */
export function crawlOf<Config>(
  given: Pick<Crawl<Config>, 'config' | 'connection' | 'outbound'> & Partial<Crawl<Config>>,
): Crawl<Config> {
  return {
    mode: 'incremental',
    cursor: undefined,
    versionsOf: async () => new Map(),
    protocols: ['https:', 'http:'],
    signal: new AbortController().signal,
    log: createLogger('data', 'silent'),
    now: Date.now,
    ...given,
  }
}

/** Reads a source to its end. */
export async function crawlAll<Config>(reader: SourceReader<Config>, crawl: Crawl<Config>): Promise<Crawled> {
  const pages: Page[] = []
  const iterator = reader.crawl(crawl)
  for (;;) {
    const next = await iterator.next()
    if (next.done === true)
      return {
        pages,
        end: next.value,
        values: pages.flatMap(({ rows }) => rows.map((row) => ('value' in row ? row.value : row.reason))),
        cursor: pages.findLast(({ cursor }) => cursor !== undefined)?.cursor,
      }
    pages.push(next.value)
  }
}

/** How a crawl fails. */
export async function failureOf<Config>(reader: SourceReader<Config>, crawl: Crawl<Config>): Promise<unknown> {
  try {
    await crawlAll(reader, crawl)
  } catch (error) {
    return error instanceof Error && 'error' in error ? error.error : error
  }
  throw new Error('the crawl did not fail')
}
