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
  misfits: StoredTypeMismatches
}

export const emptyTotals: RowTotals = { seen: 0, failed: 0, bad_rows: [], misfits: {} }

/**
 * Counts the rows of a crawl, and separately those that another attempt will not read again: rows before a cursor it
 * can resume from, and rows of completed parts. All other rows will be counted again by that attempt.
 */
export interface RowCounter {
  countRow(part: string | undefined, badRow?: BadRow): void
  /** Marks the part of the last rows as completed. @param pending mismatches of rows since the last batch */
  completePart(pending: TypeMismatches): void
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
    countRow(part, badRow) {
      if (part !== currentPart) ofPart = emptyTotals
      currentPart = part
      total = addRow(total, badRow)
      ofPart = addRow(ofPart, badRow)
    },
    completePart(pending) {
      resumable = {
        seen: resumable.seen + ofPart.seen,
        failed: resumable.failed + ofPart.failed,
        bad_rows: [...resumable.bad_rows, ...ofPart.bad_rows].slice(0, maxBadRows),
        misfits: mergeTypeMismatches(total.misfits, pending),
      }
      ofPart = emptyTotals
    },
    reachCursor(pending) {
      resumable = { ...total, misfits: mergeTypeMismatches(total.misfits, pending) }
      ofPart = emptyTotals
    },
    addTypeMismatches(typeMismatches) {
      total = { ...total, misfits: mergeTypeMismatches(total.misfits, typeMismatches) }
    },
    total: () => total,
    resumable: () => resumable,
  }
}

function addRow({ seen, failed, bad_rows, misfits }: RowTotals, badRow: BadRow | undefined): RowTotals {
  if (badRow === undefined) return { seen: seen + 1, failed, bad_rows, misfits }
  const listed = bad_rows.length < maxBadRows ? [...bad_rows, badRow] : bad_rows
  return { seen: seen + 1, failed: failed + 1, bad_rows: listed, misfits }
}
