import type { Warning } from '../../rank/warning.ts'
import { createFacet, type Facet } from '../filter/facets.ts'
import type { SearchedFields } from '../filter/searched-fields.ts'
import type { SearchInput } from '../input/search-input.ts'
import type { CollectedRecords } from './collect-records.ts'
import type { MatchingRecords } from './matching-records.ts'

export interface Counts {
  /** Number of passing records; undefined unless every record was examined. */
  total: number | undefined
  facets: Record<string, Facet> | undefined
  warnings: Warning[]
}

/**
 * Counts the passing records and the values of facets.
 * @param maxCountedRecords number of newest records that are counted
 * @param collected what was read for the page
 */
export async function countRecords(
  matching: MatchingRecords,
  maxCountedRecords: number,
  { sources }: SearchedFields,
  { filters = {}, facets, sort, cursor }: Pick<SearchInput, 'filters' | 'facets' | 'sort' | 'cursor'>,
  { end, count }: Pick<CollectedRecords, 'end' | 'count'>,
): Promise<Counts> {
  const records = sources.reduce((sum, { recordCount }) => sum + recordCount, 0)
  const isCounted = end === undefined && (cursor === undefined || sort !== undefined)
  const known = Object.keys(filters).length === 0 ? records : isCounted ? count : undefined
  if (facets === undefined && (known !== undefined || records > maxCountedRecords))
    return { total: known, facets: undefined, warnings: [] }
  const counters = (facets ?? []).map((field) => ({ field, facet: createFacet() }))
  let counted = 0
  const countEnd = await matching.scan({ maxRecords: maxCountedRecords }, (record) => {
    counted++
    for (const { field, facet } of counters) facet.add(matching.valueOf(record, field))
    return false
  })
  return {
    total: countEnd === undefined ? counted : known,
    facets: facets && Object.fromEntries(counters.map(({ field, facet }) => [field, facet.topValues()])),
    warnings: countEnd === undefined || facets === undefined ? [] : [facetsOfNewest(maxCountedRecords)],
  }
}

const facetsOfNewest = (count: number): Warning => ({
  code: 'facets_of_newest',
  message: `Facets count only the ${count} newest records`,
})
