import type { BadRow } from '@wp/contracts'
import { maxBadRows } from '../ingest/batch.ts'
import { mergeTypeMismatches, type StoredTypeMismatches, type TypeMismatches } from '../schema/drift.ts'

/** What a crawl has gone through. */
export interface RowTotals {
  seen: number
  failed: number
  /** The first ones. */
  bad_rows: BadRow[]
  /** What is not as declared. */
  misfits: StoredTypeMismatches
}

export const emptyTotals: RowTotals = { seen: 0, failed: 0, bad_rows: [], misfits: {} }

/**
 * Counts what a crawl goes through, and what of that it need not go through again: rows before a place it can go on at,
 * rows of parts that were read to their end. What another attempt will read again it will count again.
 */
export interface RowCounter {
  countRow(part: string | undefined, bad?: BadRow): void
  /** The rows that came last are of a part that ends here. @param since what was noted since the last batch */
  completePart(since: TypeMismatches): void
  /** Another attempt would go on here. @param since as above */
  reachCursor(since: TypeMismatches): void
  /** What a batch has noted. */
  addTypeMismatches(misfits: TypeMismatches): void
  total(): RowTotals
  resumable(): RowTotals
}

/** @param from what an earlier attempt went through and this one will not */
export function createRowCounter(from: RowTotals): RowCounter {
  let [all, kept, ofPart] = [from, from, emptyTotals]
  let openPart: string | undefined

  return {
    countRow(part, bad) {
      if (part !== openPart) ofPart = emptyTotals
      openPart = part
      all = withRow(all, bad)
      ofPart = withRow(ofPart, bad)
    },
    completePart(since) {
      kept = {
        seen: kept.seen + ofPart.seen,
        failed: kept.failed + ofPart.failed,
        bad_rows: [...kept.bad_rows, ...ofPart.bad_rows].slice(0, maxBadRows),
        misfits: mergeTypeMismatches(all.misfits, since),
      }
      ofPart = emptyTotals
    },
    reachCursor(since) {
      kept = { ...all, misfits: mergeTypeMismatches(all.misfits, since) }
      ofPart = emptyTotals
    },
    addTypeMismatches(misfits) {
      all = { ...all, misfits: mergeTypeMismatches(all.misfits, misfits) }
    },
    total: () => all,
    resumable: () => kept,
  }
}

function withRow({ seen, failed, bad_rows, misfits }: RowTotals, bad: BadRow | undefined): RowTotals {
  if (bad === undefined) return { seen: seen + 1, failed, bad_rows, misfits }
  const listed = bad_rows.length < maxBadRows ? [...bad_rows, bad] : bad_rows
  return { seen: seen + 1, failed: failed + 1, bad_rows: listed, misfits }
}
