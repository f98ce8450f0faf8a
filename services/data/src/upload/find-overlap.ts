import type { Context } from '../context.ts'
import type { IngestResult } from '../ingest/ingest.ts'
import type { IntakeWarning } from '../intake/raw-table.ts'
import { countRecordsWithin, type Period } from '../store/records/read-fields.ts'
import type { Source, SourceKey } from '../store/sources/sources.ts'

/** All stored records are read for a comparison, so rows that arrive a few at a time are not compared with many. */
const maxRecordsPerRow = 20
const maxReadMs = 5_000
/** Fewer restricted records than these are not told of. */
export const minRestricted = 100

const ifSo =
  'If this file corrects an earlier one, the earlier versions of corrected rows are stored as well, and count: upload it with `mode=period`, which replaces the rows of its period, or the whole content with `mode=full`, or name in `config.key` a column that identifies rows'
/** A part that two files share begins and ends. */
const maxSwitches = 2

/**
 * Says that a file may correct an earlier one, so that both count. A file that continues another has the rows of both
 * before its new ones; one that corrects it has them between, or has other rows of the same period. Gives no warning if
 * these cannot be counted: the rows of the file are stored.
 */
export async function correctionWarnings(
  { database, log }: Context,
  key: SourceKey,
  source: Source,
  { counts: { seen, failed, created }, switches }: Pick<IngestResult, 'counts' | 'switches'>,
  period: Period | undefined,
  /** Rows that are counted with those that are stored, before they are. */
  unstored = 0,
): Promise<IntakeWarning[]> {
  const news = `${created} of ${seen - failed} rows are new`
  if (switches > maxSwitches)
    return [{ code: 'new_between_known', message: `${news}, between others that were stored before. ${ifSo}` }]
  if (period === undefined || created === 0 || !isComparable(source, seen)) return []
  const { field, first, last, rows } = period
  const scope = { workspaceId: key.workspaceId, signal: AbortSignal.timeout(maxReadMs) }
  const found = await database.background
    .read(scope, (_db, query) => countRecordsWithin(query, key, period, 2 * rows + 1))
    .catch((err: unknown) => {
      log.warn({ event: 'upload.comparison_failed', err }, 'failed to compare an upload with the stored records')
      return 0
    })
  const others = found + unstored - rows
  // Files whose times are dates of people, such as their births, have few rows of any period.
  if (others <= 0 || (others + rows - created) * 2 < rows) return []
  if (source.recordAccess === 'aggregates') {
    if (Math.min(others, rows) < minRestricted) return []
    return [{ code: 'overlaps', column: field, message: `Rows of the same period were stored before. ${ifSo}` }]
  }
  const same = `${others > rows ? `more than ${rows}` : others} other rows from ${first} to ${last}`
  const message = `${news}, and ${same} were stored before: all of them count. ${ifSo}`
  return [{ code: 'overlaps', column: field, message }]
}

const isComparable = ({ recordCount }: Source, rows: number): boolean =>
  recordCount > 0 && recordCount <= rows * maxRecordsPerRow
