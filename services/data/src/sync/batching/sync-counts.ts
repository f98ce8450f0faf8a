import type { BadRow } from '@wp/contracts'
import { maxBadRows } from '../../ingest/batch.ts'
import {
  mergeTypeMismatches,
  type StoredTypeMismatches,
  type TypeMismatches,
} from '../../store/sources/observed-fields.ts'

/** The rows a crawl has read. Saved in the detail of the job, so the member names are a stored format. */
export interface RowTotals {
  seen: number
  failed: number
  /** The first 100. */
  bad_rows: BadRow[]
  /** Type mismatches. */
  type_mismatches: StoredTypeMismatches
  /** Number of bad rows whose key could not be read; absent for none. */
  without_key?: number
  /** Number of bad rows below a table; absent for none. */
  footers?: number
}

export const emptyTotals: RowTotals = { seen: 0, failed: 0, bad_rows: [], type_mismatches: {} }

/** A row that was rejected, and whether its key could be read. */
export interface RejectedRow {
  badRow: BadRow
  hasKey: boolean
  isFooter: boolean
}

/**
 * Counts the rows of a crawl, and separately those that another attempt will not read again: rows before a cursor it
 * can resume from, and rows of completed parts. All other rows will be counted again by that attempt.
 */
export interface RowCounter {
  countRow(part: string | undefined, rejected?: RejectedRow): void
  /**
   * Marks a part as completed.
   * @param pending mismatches of rows since the last batch
   * @returns the number of its rows that could be read
   */
  completePart(part: string, pending: TypeMismatches): number
  /** Marks the position as resumable. @param pending mismatches of rows since the last batch */
  reachCursor(pending: TypeMismatches): void
  /** Adds the mismatches of a batch. */
  addTypeMismatches(typeMismatches: TypeMismatches): void
  total(): RowTotals
  resumable(): RowTotals
}

/** @param previous rows that an earlier attempt read and this one does not */
export function createRowCounter(previous: RowTotals): RowCounter {
  let [total, resumable, ofPart] = [previous, previous, emptyTotals]
  let currentPart: string | undefined

  return {
    countRow(part, rejected) {
      if (part !== currentPart) ofPart = emptyTotals
      currentPart = part
      total = addRow(total, rejected)
      ofPart = addRow(ofPart, rejected)
    },
    completePart(part, pending) {
      if (part !== currentPart) ofPart = emptyTotals
      const readable = ofPart.seen - ofPart.failed
      resumable = {
        seen: resumable.seen + ofPart.seen,
        failed: resumable.failed + ofPart.failed,
        bad_rows: [...resumable.bad_rows, ...ofPart.bad_rows].slice(0, maxBadRows),
        type_mismatches: mergeTypeMismatches(total.type_mismatches, pending),
        ...optionalCount('without_key', (resumable.without_key ?? 0) + (ofPart.without_key ?? 0)),
        ...optionalCount('footers', (resumable.footers ?? 0) + (ofPart.footers ?? 0)),
      }
      ofPart = emptyTotals
      return readable
    },
    reachCursor(pending) {
      resumable = { ...total, type_mismatches: mergeTypeMismatches(total.type_mismatches, pending) }
      ofPart = emptyTotals
    },
    addTypeMismatches(typeMismatches) {
      total = { ...total, type_mismatches: mergeTypeMismatches(total.type_mismatches, typeMismatches) }
    },
    total: () => total,
    resumable: () => resumable,
  }
}

function addRow(totals: RowTotals, rejected: RejectedRow | undefined): RowTotals {
  const { seen, failed, bad_rows } = totals
  if (rejected === undefined) return { ...totals, seen: seen + 1 }
  const listed = bad_rows.length < maxBadRows ? [...bad_rows, rejected.badRow] : bad_rows
  return {
    ...totals,
    seen: seen + 1,
    failed: failed + 1,
    bad_rows: listed,
    ...optionalCount('without_key', (totals.without_key ?? 0) + (rejected.hasKey ? 0 : 1)),
    ...optionalCount('footers', (totals.footers ?? 0) + (rejected.isFooter ? 1 : 0)),
  }
}

const optionalCount = (name: 'without_key' | 'footers', count: number): Pick<RowTotals, 'without_key' | 'footers'> =>
  count === 0 ? {} : { [name]: count }
