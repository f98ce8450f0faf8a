import type { FieldFilter } from '@wp/contracts'
import type { SearchSession } from '../../session/search-session.ts'
import { matchesFilter } from './field-filter.ts'
import type { SearchedFields } from './searched-fields.ts'

/** Tests the values of a record of a source. */
export type RecordFilter = (values: readonly unknown[], dataSourceId: string) => Promise<boolean>

/** Returns the test of all filters. @param columns index of a field in the values of a record */
export function createRecordFilter(
  session: SearchSession,
  filters: Readonly<Record<string, FieldFilter>>,
  columns: ReadonlyMap<string, number>,
  fields: SearchedFields | undefined,
): RecordFilter {
  const conditions = Object.entries(filters)
  return async (values, dataSourceId) => {
    for (const [field, filter] of conditions) {
      const value = values[columns.get(field) ?? 0]
      if (!matchesFilter(value, filter, fields?.comparisonOf(dataSourceId, field))) return false
      // One condition on a long array takes milliseconds.
      if (session.isYieldDue()) await session.yieldIfDue()
    }
    return true
  }
}
