import { problem, type SyncWarning } from '@wp/contracts'

/** The records that a full upload or sync is about to delete. */
export interface PlannedDeletions {
  /** Records that existed before and were not read. */
  missing: number
  /** All records that existed before. */
  records: number
  /** True if at least one row could be read, or was left unread because it is unchanged. */
  hasRows: boolean
  /** True if the records may not be counted by their uploader. */
  isRestricted?: boolean
  /** False if the rows are stored only once the deletions are allowed. */
  isStored?: boolean
  /** A sign that the source has rows that it did not send; undefined if there is none. */
  doubt?: string | undefined
}

/** The limits of a source and its request. */
export interface DeletionLimits {
  /** `max_deletion_share` of the config. */
  maxShare: number | undefined
  /** The share if the config has none. */
  defaultShare?: number
  /** True if the request allows the deletions. */
  isAllowed: boolean
  /** Tells how to allow them once. */
  howToAllow: string
}

/** With fewer records a large share is no sign of a fault. */
const minRecords = 20

/**
 * Asserts that the records missing from a file or source may be deleted.
 * @throws Problem `too_many_deletions` with the numbers, and how to allow the deletions once
 */
export function assertDeletionsAllowed(
  { missing, records, hasRows, doubt, isRestricted = false, isStored = true }: PlannedDeletions,
  { defaultShare = 0.5, maxShare = defaultShare, isAllowed, howToAllow }: DeletionLimits,
): void {
  if (missing === 0 || isAllowed) return
  const reason = hasRows
    ? (exceededShare(missing, records, maxShare) ?? doubtOf(doubt, maxShare))
    : 'no row could be read'
  if (reason === undefined) return
  throw problem('too_many_deletions', {
    detail: `${isRestricted ? 'Records' : `${missing} of ${records} records`} would be deleted, but ${reason}. ${hasRows ? (isStored ? 'Its rows were stored, and nothing' : 'Nothing was stored, and nothing') : 'Nothing'} was deleted. Check the file or source; to delete them once, ${howToAllow}`,
    extra: { ...(!isRestricted && { deletions: missing, records }), max_deletion_share: Math.min(maxShare, 1) },
  })
}

/** Returns the warning that says that a file or source did not send all of its rows. */
export const doubtOfWarnings = (warnings: readonly SyncWarning[] = []): string | undefined =>
  warnings.find(isDoubt)?.message
/** Returns true for a warning that is a sign of missing rows. */
export const isDoubt = ({ code }: SyncWarning): boolean => code === 'truncated' || code === 'errors_beside_rows'

/**
 * Watches how the body of a response ends. `doubt` is the sign that the end of a CSV file is missing: its last line has
 * no end, and the response has neither a length nor chunks, of which the last is marked (RFC 9112 section 6.3), so that
 * a connection that breaks ends it like any other. The last value of a file that is cut within it is as good as any.
 */
export function watchEnd(chunks: AsyncIterable<Uint8Array>, headers: Readonly<Record<string, unknown>>) {
  const hasEnd = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  let [isCompressed, end]: [boolean | undefined, Buffer] = [undefined, Buffer.alloc(0)]
  async function* watched() {
    for await (const chunk of chunks) {
      isCompressed ??= chunk[0] === 0x1f
      // The end of a line takes two bytes in UTF-16.
      end = Buffer.concat([end, chunk.subarray(-2)]).subarray(-2)
      yield chunk
    }
  }
  const doubt = (type: string | undefined): string | undefined =>
    hasEnd || type !== 'csv' || isCompressed === true || end.includes('\n') || end.includes('\r')
      ? undefined
      : 'its last line has no end, and neither `content-length` nor chunks say that the file is whole'
  return { chunks: watched(), doubt }
}

/** With 1 a source may lose any of its records as long as it has rows. */
const doubtOf = (doubt: string | undefined, maxShare: number) => (maxShare === 1 ? undefined : doubt)

/** Half of the records is not fewer than half: a source that lost one of two files must not pass. */
function exceededShare(missing: number, records: number, maxShare: number): string | undefined {
  if (records < minRecords || maxShare === 1 || missing < maxShare * records) return undefined
  return `\`max_deletion_share\` of the data source is ${maxShare}`
}

/**
 * Returns a warning if records that were not read may be those of rows whose key is unknown, so that they must be kept:
 * with a key field always, without one if there are as many such rows.
 */
export function keptRecordsWarning(
  { missing, isAllowed, isRestricted }: { missing: number; isAllowed: boolean; isRestricted?: boolean },
  { withoutKey, keyField }: { withoutKey: number; keyField: string | null | undefined },
): { code: string; message: string } | undefined {
  if (isAllowed || missing === 0 || withoutKey === 0 || (!keyField && missing > withoutKey)) return undefined
  return {
    code: 'missing_records_kept',
    message: `${isRestricted === true ? 'Records' : `${missing} records`} that were not read were kept: the keys of ${withoutKey} invalid rows are unknown. Correct the rows and send all rows again`,
  }
}
