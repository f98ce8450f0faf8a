import { converterFor } from '../../../schema/declared-fields.ts'
import { conversionOf } from '../filter/field-type.ts'
import { parseSort, type SearchedFields } from '../filter/searched-fields.ts'

/**
 * The group of a value in ascending order: numbers, times and booleans; text; no value, which is last in either order.
 */
const sortGroups = { number: 0, text: 1, missing: 2 } as const
/** The position of a record in the order: the group of its value, and the value. */
export type SortKey = [group: 0, value: number] | [group: 1, value: string] | [group: 2, value: null]

/** Text is ordered by this many UTF-16 code units. */
const maxSortText = 64

/** Creates the function that returns the sort key of a value of a source. */
export function createSortKeyReader(
  fields: SearchedFields,
  sort: string,
): (value: unknown, dataSourceId: string) => SortKey {
  const { field } = parseSort(sort)
  const converters = new Map(
    fields.sources.map(({ dataSourceId }) => {
      const found = fields.find(dataSourceId, field)
      const declaration = found && conversionOf(found)
      return [dataSourceId, declaration === undefined ? undefined : converterFor(declaration)]
    }),
  )
  return (value, dataSourceId) => {
    const convert = converters.get(dataSourceId)
    return toSortKey(convert === undefined ? value : convert(value))
  }
}

function toSortKey(value: unknown): SortKey {
  if (typeof value === 'number') return [sortGroups.number, value]
  if (typeof value === 'boolean') return [sortGroups.number, Number(value)]
  if (typeof value === 'string' && value !== '') return [sortGroups.text, value.slice(0, maxSortText).toWellFormed()]
  return [sortGroups.missing, null]
}

/** Compares two keys; a missing value is last in either direction. */
export function compareSortKeys([groupA, a]: SortKey, [groupB, b]: SortKey, isDescending: boolean): number {
  if (groupA === sortGroups.missing || groupB === sortGroups.missing) return groupA - groupB
  const order = groupA - groupB || (a === b ? 0 : (a ?? 0) < (b ?? 0) ? -1 : 1)
  return isDescending ? -order : order
}
