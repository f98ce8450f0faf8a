import { invalidField, type SyncCounts } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { IntakeWarning } from '../intake/raw-table.ts'
import { listFieldTexts } from '../store/records/record-keys.ts'
import type { Source, SourceKey } from '../store/sources/sources.ts'
import type { ExistingKeys } from '../sync/batching/existing-keys.ts'
import { type NotedPeriod, placeOf } from './period.ts'

/**
 * Marks the records outside of the period of a file, so that they are not taken for missing.
 * @returns a sign that the period has a wrong date, undefined if there is none
 */
export async function keepOthers(
  database: Context['database'],
  key: SourceKey,
  existingKeys: ExistingKeys,
  { period, counts }: { period: NotedPeriod | undefined; counts: SyncCounts },
): Promise<string | undefined> {
  if (period === undefined)
    throw invalidField('?mode', 'period needs a file with times of its rows. The rows of the file were added')
  let ofOtherDays = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    const page = await database.read(key, (_db, query) => listFieldTexts(query, key, period.field, from))
    for (const record of page.filter((one) => existingKeys.isMissing(one.key))) {
      const place = placeOf(period, record.text)
      if (place === 'outside') existingKeys.markSeen(record.key)
      if (place === 'other day') ofOtherDays++
    }
    after = page.at(-1)?.key
  }
  const rows = counts.seen - counts.failed
  // A corrected month has about as many rows as before, and hardly loses all of a day.
  if (existingKeys.countUnseen() <= 2 * rows && ofOtherDays * maxShareOfDays <= rows) return undefined
  return `the file has ${rows} rows, and none of the days of ${ofOtherDays} of these records: check its dates from ${period.first} to ${period.last}. Its rows were added`
}
const maxShareOfDays = 10

/** Says which records a file replaced. */
export function replacedWarning({ field, first, last, kinds }: NotedPeriod, { recordAccess }: Source): IntakeWarning {
  const of = recordAccess === 'aggregates' ? 'the period of the file' : `${first} to ${last}`
  const exactly = kinds.has('local') || kinds.has('offset') ? '; those before and after on the same days were kept' : ''
  return { code: 'period_replaced', column: field, message: `Other records of ${of} were deleted${exactly}` }
}
