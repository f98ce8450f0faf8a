import type { SyncCounts } from '@wp/contracts'

/** A source after a read, with the number of refused rows before it. */
interface SourceAfterRead {
  recordCount: number
  refusedRows: number
}

interface ReadResult {
  counts: SyncCounts
  /** Refused rows below a table: not data. */
  footers: number
  /** True if everything of the source was read. */
  isWhole: boolean
  /** Records that it replaced by others of the same period. */
  replaced?: number
}

/** A file that has this share of the records is a new version of the file that they came from. */
const shareOfSameFile = 0.9

/**
 * Returns the number of rows of a source that were refused and so are missing from its records. A read of the whole
 * source replaces the number, another one adds to it. A file that has or replaces most records replaces it too, since
 * users correct the refused rows and send the file again; one that changes nothing leaves it. One that replaces a
 * period has its refused rows instead of earlier ones: as many as are the more, since those of a period are not known.
 */
export function refusedRowsAfter(
  source: SourceAfterRead,
  { counts, footers, isWhole, replaced = 0 }: ReadResult,
): number {
  const refused = counts.failed - footers
  if (isWhole) return refused
  const earlierRecords = source.recordCount - counts.created + replaced
  const known = counts.seen - counts.failed - counts.created
  if (earlierRecords > 0 && known + replaced >= shareOfSameFile * earlierRecords) return refused
  if (replaced > 0) return Math.max(source.refusedRows, refused)
  if (known > 0 && counts.created === 0 && counts.updated === 0) return source.refusedRows
  return source.refusedRows + refused
}
