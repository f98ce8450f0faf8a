import type { SourceProvider } from '@wp/contracts'
import type { Outbound, Protocol } from '@wp/outbound'
import type { Logger } from '@wp/service'
import type { Row } from '../parsers/row.ts'

/** What a source is reached by: an integration's configuration and secrets, for the time of one crawl. */
export interface ResolvedIntegration {
  provider: string
  config: Readonly<Record<string, unknown>>
  secrets: Readonly<Record<string, string>>
}

/** What a crawl is given. */
export interface CrawlRequest<Config> {
  config: Config
  /** Undefined where the source names no integration. */
  integration: ResolvedIntegration | undefined
  mode: 'full' | 'incremental'
  /**
   * What the last page that was stored said in `cursor`, of this crawl or one before it; undefined: from the beginning.
   * In full mode it is no place to go on from, but may say what need not be sent again.
   */
  cursor: string | undefined
  /** The versions of parts that were read to their end, of those asked for. */
  findPartVersions(parts: readonly string[]): Promise<ReadonlyMap<string, string>>
  outbound: Outbound
  /** What web addresses may begin with. */
  protocols: readonly Protocol[]
  /** Aborted when the work must end. */
  signal: AbortSignal
  log: Logger
  /** Milliseconds since 1970. */
  now: () => number
}

/** Some rows, and what is true once they are stored. */
export interface Page {
  rows: Row[]
  /** Which part of the source they are of, such as an object of a bucket. Undefined: the source has no parts. */
  part?: string
  /** The part ends with these rows; read again only when its version has changed. */
  completedPart?: { version: string }
  /** Parts that were found as they were, so their records stay. */
  unchangedParts?: readonly string[]
  /** Where an incremental crawl may go on. */
  cursor?: string
  /** 0 to 1, as far as that can be told. */
  progress?: number
}

/**
 * How a crawl came to its end. `complete`: everything the source has was among the pages, or in parts that are unchanged;
 * a full sync then removes what was not. `unchanged`: nothing was read, because nothing is new.
 */
export type CrawlResult = 'complete' | 'unchanged'

/** One kind of source. */
export interface SourceReader<Config> {
  provider: SourceProvider
  /**
   * Reads a source from the beginning, or from the cursor on, in pages of bounded size; never ahead of who asks for them.
   * @throws JobFailure: `config`, `auth`, `transient` (worth trying again) or `schema`, with what and where
   */
  crawl(crawl: CrawlRequest<Config>): AsyncGenerator<Page, CrawlResult>
}
