import type { BadRow } from '@wp/contracts'
import { maxBadRows } from '../ingest/batch.ts'
import { type Misfits, mergeMisfits, type StoredMisfits } from '../schema/drift.ts'

/** What a crawl has gone through. */
export interface Tally {
  seen: number
  failed: number
  /** The first ones. */
  bad_rows: BadRow[]
  /** What is not as declared. */
  misfits: StoredMisfits
}

export const noTally: Tally = { seen: 0, failed: 0, bad_rows: [], misfits: {} }

/**
 * Counts what a crawl goes through, and what of that it need not go through again: rows before a place it can go on at,
 * rows of parts that were read to their end. What another attempt will read again it will count again.
 */
export interface Counting {
  row(part: string | undefined, bad?: BadRow): void
  /** The rows that came last are of a part that ends here. @param since what was noted since the last batch */
  partEnds(since: Misfits): void
  /** Another attempt would go on here. @param since as above */
  place(since: Misfits): void
  /** What a batch has noted. */
  note(misfits: Misfits): void
  all(): Tally
  kept(): Tally
}

/** @param from what an earlier attempt went through and this one will not */
export function createCounting(from: Tally): Counting {
  let [all, kept, ofPart] = [from, from, noTally]
  let openPart: string | undefined

  return {
    row(part, bad) {
      if (part !== openPart) ofPart = noTally
      openPart = part
      all = withRow(all, bad)
      ofPart = withRow(ofPart, bad)
    },
    partEnds(since) {
      kept = {
        seen: kept.seen + ofPart.seen,
        failed: kept.failed + ofPart.failed,
        bad_rows: [...kept.bad_rows, ...ofPart.bad_rows].slice(0, maxBadRows),
        misfits: mergeMisfits(all.misfits, since),
      }
      ofPart = noTally
    },
    place(since) {
      kept = { ...all, misfits: mergeMisfits(all.misfits, since) }
      ofPart = noTally
    },
    note(misfits) {
      all = { ...all, misfits: mergeMisfits(all.misfits, misfits) }
    },
    all: () => all,
    kept: () => kept,
  }
}

function withRow({ seen, failed, bad_rows, misfits }: Tally, bad: BadRow | undefined): Tally {
  if (bad === undefined) return { seen: seen + 1, failed, bad_rows, misfits }
  const listed = bad_rows.length < maxBadRows ? [...bad_rows, bad] : bad_rows
  return { seen: seen + 1, failed: failed + 1, bad_rows: listed, misfits }
}
