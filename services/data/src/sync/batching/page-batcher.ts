import type { SourceConfig, SyncWarning } from '@wp/contracts'
import { addToBatch, type Batch, createBatch, isBatchFull, prepareRow } from '../../ingest/batch.ts'
import type { RowIdentity } from '../../ingest/record-input.ts'
import { createRowOrdinals, maxDifferentRows } from '../../ingest/row-ordinals.ts'
import type { Row } from '../../parsers/row.ts'
import { crawlFailure } from '../../providers/crawl-failure.ts'
import type { Page } from '../../providers/source-reader.ts'
import type { DetectedFormat } from '../../schema/source-format.ts'
import type { SavedCursor } from '../../store/sources/crawl-cursor.ts'
import type { CompletedPart } from '../../store/sources/source-parts.ts'
import type { ExistingKeys } from './existing-keys.ts'
import type { ResumeDedup } from './resume-dedup.ts'
import { createRowCounter, type RowTotals } from './sync-counts.ts'

/** Rows that are stored together, and the progress of the crawl once they are. */
export interface PageBatch extends Batch, PageNotices {
  /** All rows of the crawl, including this batch. */
  totals: RowTotals
  /** Of these, the rows that another attempt will not read again. */
  resumableTotals: RowTotals
}

/** Notices of pages besides rows. */
interface PageNotices {
  completedParts: CompletedPart[]
  unchangedParts: string[]
  /** Position at which another crawl can resume. */
  savedCursor: Omit<SavedCursor, 'hasAppliedDeletions'> | undefined
  progress: number | undefined
  /** The format of the documents of the rows. */
  format: DetectedFormat | undefined
  warnings: SyncWarning[]
}

export interface PageBatcherOptions {
  config: SourceConfig
  /** Rows that an earlier attempt read and this one does not. */
  previousTotals: RowTotals
  /** Marks the keys of all rows as seen, including bad rows; undefined for an incremental crawl. */
  existingKeys: ExistingKeys | undefined
  /** Undefined if the crawl does not resume from a cursor. */
  dedup: ResumeDedup | undefined
}

/** Collects pages into batches. */
export interface PageBatcher {
  /** Adds what a page says of its rows. Call it before they are added. */
  addHead(page: Page): void
  addRow(row: Row, part: string | undefined): void
  /** Adds what a page reports once its rows are added. */
  addNotices(page: Page): void
  /** Returns true if the batch has as many rows, bytes or parts as it may. */
  isFull(): boolean
  /** Returns the batch and starts the next one; undefined if there is nothing to store. */
  take(): PageBatch | undefined
}

const maxParts = 1_000

export function createPageBatcher({ config, previousTotals, existingKeys, dedup }: PageBatcherOptions): PageBatcher {
  const counter = createRowCounter(previousTotals)
  const identify = createIdentities()
  let batch = createBatch(config)
  let notices = emptyNotices(undefined)
  let isEmpty = true

  return {
    addRow(row, part) {
      const prepared = prepareRow(row, config, identify(part))
      if (prepared.key !== undefined) existingKeys?.markSeen(prepared.key)
      if (dedup?.isRepeated(prepared.fingerprint)) return
      isEmpty = false
      if ('record' in prepared) addToBatch(batch, prepared)
      const isFooter = 'reason' in row && row.isFooter === true
      const rejected = 'record' in prepared ? undefined : { ...prepared, hasKey: prepared.key !== undefined, isFooter }
      counter.countRow(part, rejected)
    },
    addHead({ format, warnings = [] }) {
      if (format !== undefined)
        notices.format = { known: notices.format?.known ?? format.known, detected: format.detected }
      notices.warnings.push(...warnings)
    },
    addNotices({ part, completedPart, unchangedParts, cursor, progress }) {
      const { typeMismatches } = batch.observer
      if (part !== undefined && completedPart !== undefined) {
        const isEmpty = counter.completePart(part, typeMismatches) === 0
        notices.completedParts.push({ name: part, version: completedPart.version, isEmpty })
      }
      notices.unchangedParts.push(...(unchangedParts ?? []))
      if (cursor !== undefined) {
        notices.savedCursor = { cursor, recentRowHashes: dedup?.recentRowHashes() ?? null }
        if (dedup !== undefined) counter.reachCursor(typeMismatches)
      }
      notices.progress = progress ?? notices.progress
      if (completedPart !== undefined || unchangedParts !== undefined || cursor !== undefined) isEmpty = false
    },
    isFull: () => isBatchFull(batch) || notices.completedParts.length + notices.unchangedParts.length >= maxParts,
    take() {
      if (isEmpty) return undefined
      // Mismatches of this batch belong to its total, but not to rows before an earlier cursor.
      const resumableTotals = counter.resumable()
      counter.addTypeMismatches(batch.observer.typeMismatches)
      const full: PageBatch = { ...batch, ...notices, totals: counter.total(), resumableTotals }
      batch = createBatch(config)
      notices = emptyNotices(notices.progress)
      isEmpty = true
      return full
    },
  }
}

const emptyNotices = (progress: number | undefined): PageNotices => ({
  completedParts: [],
  unchangedParts: [],
  savedCursor: undefined,
  progress,
  format: undefined,
  warnings: [],
})

/**
 * Returns the function for the identity of the rows of a part. Equal rows are counted within a part, so that it can be
 * read again alone, and without parts within the crawl.
 */
function createIdentities(): (part: string | undefined) => RowIdentity {
  let identity: RowIdentity | undefined
  return (part) => {
    if (identity === undefined || identity.part !== part)
      identity = { ordinals: createRowOrdinals(tooManyDifferentRows), part }
    return identity
  }
}

const tooManyDifferentRows = () =>
  crawlFailure(
    'config',
    `There are more than ${maxDifferentRows} different rows; set \`config.key\` of the data source to a field that identifies them`,
  )
