import type { Row } from '../parsers/row.ts'

/** Joins the rows of many small chunks into batches and splits large ones. */
export interface RowBatcher {
  add(rows: readonly Row[]): void
  /** Removes and returns the next full batch; undefined if there is none. */
  takeFull(): Row[] | undefined
  /** Returns the rows that are left. */
  rest(): Row[]
  /** Returns the number of all rows added. */
  count(): number
}

const maxBatchRows = 1000
/** Rows are passed on after this many chunks, even if they are few. */
const maxBatchChunks = 16

/** @param page number of the page the rows are on; undefined if the source has no pages */
export function createRowBatcher(page: number | undefined): RowBatcher {
  const pending: Row[] = []
  let chunks = 0
  let count = 0
  return {
    add(rows) {
      chunks++
      count += rows.length
      for (const row of rows) pending.push(page === undefined ? row : withPage(row, page))
    },
    takeFull() {
      if (pending.length < maxBatchRows && (chunks < maxBatchChunks || pending.length === 0)) return undefined
      chunks = 0
      return pending.splice(0, maxBatchRows)
    },
    rest: () => pending,
    count: () => count,
  }
}

const withPage = (row: Row, page: number): Row =>
  'reason' in row ? { ...row, reason: `page ${page}: ${row.reason}` } : { ...row, page }
