import type { SourceProvider, SyncWarning } from '@wp/contracts'
import type { Outbound, Protocol } from '@wp/outbound'
import type { Logger } from '@wp/service'
import type { Row } from '../parsers/row.ts'
import type { RowProtection } from '../privacy/row-protection.ts'
import type { DetectedFormat } from '../schema/source-format.ts'
import type { StoredFields } from '../store/sources/observed-fields.ts'

/** Configuration and secrets of the integration a source is read through, for one crawl. */
export interface ResolvedIntegration {
  provider: string
  config: Readonly<Record<string, unknown>>
  secrets: Readonly<Record<string, string>>
}

/** The input of a crawl: one pass over a source. */
export interface CrawlRequest<Config> {
  config: Config
  /** Undefined if the source names no integration. */
  integration: ResolvedIntegration | undefined
  mode: 'full' | 'incremental'
  /**
   * The `cursor` of the last stored page, of this crawl or an earlier one; undefined to start at the beginning. A full
   * crawl does not resume from it, but may use it to detect unchanged content.
   */
  cursor: string | undefined
  /** The cursor of the last crawl, also if it cannot be resumed from: it tells how much there was to read. */
  lastCursor?: string | undefined
  /**
   * The fields of the records before the crawl, to recognize a response that holds something else. None if there are no
   * records, or if they may have other fields now.
   */
  knownFields: StoredFields
  /** Number of records before the crawl. */
  recordCount: number
  /** Returns the versions of those parts that were read completely. */
  findPartVersions(parts: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns those parts that were read before, completely or not. */
  findKnownParts(parts: readonly string[]): Promise<ReadonlySet<string>>
  /** Protects the values of the source; undefined if they are stored and shown as they are. */
  protection?: RowProtection | undefined
  outbound: Outbound
  /** Protocols allowed in the address of a source. */
  protocols: readonly Protocol[]
  /** Aborted when the crawl must end. */
  signal: AbortSignal
  log: Logger
  /** Milliseconds since 1970. */
  now: () => number
  startTimer: StartTimer
}

/** Some rows, and the state of the crawl once they are stored. */
export interface Page {
  rows: Row[]
  /** The part of the source that holds the rows, such as an object of a bucket. Absent if the source has no parts. */
  part?: string
  /** Set if the part ends with these rows: it is read again only when its version has changed. */
  completedPart?: { version: string }
  /** Parts whose version has not changed: their records are kept. */
  unchangedParts?: readonly string[]
  /** Position where a later incremental crawl may resume. */
  cursor?: string
  /** 0 to 1, if known. */
  progress?: number
  /** The format of the document that the rows are from; it is pinned together with them. */
  format?: DetectedFormat
  /** Remarks on the document that the rows are from. */
  warnings?: SyncWarning[]
}

/**
 * `complete`: the pages and unchanged parts cover the whole source, so a full sync may delete all other records.
 * `unchanged`: nothing was read because nothing is new.
 * `doubt`: complete, but with this sign that the source did not send every row. A full sync that would delete fails.
 */
export type CrawlResult = 'complete' | 'unchanged' | { doubt: string }

/** The first document of a source. */
export interface DocumentHead {
  chunks: AsyncIterable<Uint8Array>
  /** Media type, in lower case; empty if unknown. */
  contentType: string
  charset?: string | undefined
  fileName: string
}

/** The input for the first document of a source. */
export type HeadRequest<Config> = Pick<
  CrawlRequest<Config>,
  'config' | 'integration' | 'outbound' | 'protocols' | 'signal' | 'log' | 'now'
>

/** Reads the sources of one provider. */
export interface SourceReader<Config> {
  provider: SourceProvider
  /** Returns the address of the server for error messages, without secrets. */
  address(source: Pick<CrawlRequest<Config>, 'config' | 'integration'>): string
  /**
   * Reads a source from the beginning or from the cursor, in pages of bounded size. Does not read ahead of the
   * consumer.
   * @throws JobFailure `config`, `auth`, `transient` (retried) or `schema`, with cause and position
   */
  crawl(crawl: CrawlRequest<Config>): AsyncGenerator<Page, CrawlResult>
  /**
   * Opens the first document of a source, for a preview. Absent for a provider without documents.
   * @throws JobFailure, or the reason of `signal`
   */
  openHead?(request: HeadRequest<Config>): Promise<DocumentHead>
}

/** Calls `onElapsed` after a time, unless the returned function is called before. */
export type StartTimer = (ms: number, onElapsed: () => void) => () => void

export const startTimer: StartTimer = (ms, onElapsed) => {
  const timer = setTimeout(onElapsed, ms)
  return () => clearTimeout(timer)
}
