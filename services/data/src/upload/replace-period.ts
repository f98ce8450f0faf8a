import { invalidField, type SyncCounts } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { IntakeWarning } from '../intake/raw-table.ts'
import { listFieldTexts } from '../store/records/record-keys.ts'
import type { Source, SourceKey } from '../store/sources/sources.ts'
import type { ExistingKeys } from '../sync/batching/existing-keys.ts'
import { dayWithin, type NotedPeriod } from './period.ts'

/**
 * Marks the records outside of the period of a file, so that they are not taken for missing.
 * @param isRestricted true where only aggregates of the records may be read: their days and numbers are not told
 * @returns a sign that the period has a wrong date, undefined if there is none
 */
export async function keepOthers(
  database: Context['database'],
  key: SourceKey,
  existingKeys: ExistingKeys,
  { period, counts, isRestricted }: { period: NotedPeriod | undefined; counts: SyncCounts; isRestricted: boolean },
): Promise<string | undefined> {
  if (period === undefined)
    throw invalidField('?mode', 'period needs a file with times of its rows. The rows of the file were added')
  const missing = new Map<string, number>()
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    const page = await database.read(key, (_db, query) => listFieldTexts(query, key, period.field, from))
    for (const record of page.filter((one) => existingKeys.isMissing(one.key))) {
      const day = dayWithin(period, record.text)
      if (day === undefined) existingKeys.markSeen(record.key)
      else missing.set(day, (missing.get(day) ?? 0) + 1)
    }
    after = page.at(-1)?.key
  }
  const rows = counts.seen - counts.failed
  const check = `check its dates from ${period.first} to ${period.last}. Its rows were added`
  // A corrected month has about as many rows as before, also of each day, and hardly loses all of a day.
  const [day] = [...missing].find(([of, lost]) => lost > Math.max(2 * (period.days.get(of) ?? 0), fewRows)) ?? []
  if (day !== undefined && isRestricted)
    return `many of them are of days of which the file has few rows or none: ${check}`
  if (day !== undefined)
    return `the file has ${period.days.get(day) ?? 0} rows of ${day}, and ${missing.get(day)} of these records are of it: ${check}`
  const ofOtherDays = [...missing].reduce((sum, [of, lost]) => sum + (period.days.has(of) ? 0 : lost), 0)
  if (existingKeys.countUnseen() <= 2 * rows && ofOtherDays * maxShareOfDays <= rows) return undefined
  if (isRestricted) return `many of them are of days of which the file has no row: ${check}`
  return `the file has ${rows} rows, and none of the days of ${ofOtherDays} of these records: ${check}`
}
const maxShareOfDays = 10
/** So many rows may go of a day with any number of others. */
const fewRows = 5

/** Says which records a file replaced. */
export function replacedWarning({ field, first, last, kinds }: NotedPeriod, { recordAccess }: Source): IntakeWarning {
  const of = recordAccess === 'aggregates' ? 'the period of the file' : `${first} to ${last}`
  const exactly = kinds.has('local') || kinds.has('offset') ? '; those before and after on the same days were kept' : ''
  return { code: 'period_replaced', column: field, message: `Other records of ${of} were deleted${exactly}` }
}
