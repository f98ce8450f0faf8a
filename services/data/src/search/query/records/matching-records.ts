import type { RecordPosition } from '../../../store/search/newest-records.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { createRecordFilter } from '../filter/record-filter.ts'
import { parseSort, type SearchedFields } from '../filter/searched-fields.ts'
import type { SearchInput } from '../input/search-input.ts'
import { type ScannedRecord, scanRecords } from './record-scan.ts'

/** The records of a search without a query. */
export interface MatchingRecords {
  /**
   * Reads records, newest first, and visits those that pass the filters.
   * @param visit returns true to end the scan
   * @returns the position of the last record that was read; undefined if there are no further ones
   */
  scan(
    range: { after?: RecordPosition | undefined; maxRecords: number },
    visit: (record: ScannedRecord) => boolean,
  ): Promise<RecordPosition | undefined>
  /** Returns the value of a field that the request names. */
  valueOf(record: ScannedRecord, name: string): unknown
}

export function createMatchingRecords(
  session: SearchSession,
  fields: SearchedFields,
  { filters = {}, facets = [], sort }: Pick<SearchInput, 'filters' | 'facets' | 'sort'>,
): MatchingRecords {
  const sorted = sort === undefined ? [] : [parseSort(sort).field]
  const names = [...new Set([...Object.keys(filters), ...facets, ...sorted])]
  const columns = new Map(names.map((name, column) => [name, column]))
  const passes = createRecordFilter(session, filters, columns, fields)
  const sourceIds = fields.sources.map(({ dataSourceId }) => dataSourceId)
  return {
    valueOf: ({ fieldValues }, name) => fieldValues[columns.get(name) ?? 0],
    scan: ({ after, maxRecords }, visit) =>
      scanRecords(session, { sourceIds, names, after, maxRecords }, async (record) =>
        (await passes(record.fieldValues, record.dataSourceId)) ? visit(record) : false,
      ),
  }
}
