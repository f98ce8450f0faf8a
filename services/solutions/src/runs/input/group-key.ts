import type { SeriesKey } from '../../forecast/index.ts'

/**
 * Returns the group key of a series, under which `capacity` names it: the value of its only field, or the values of its
 * fields joined by `/`, in which `~` is written `~0` and `/` is written `~1`.
 * @param groupBy the order of the fields; for inline series, which have none, the fields are in alphabetical order
 */
export function groupKeyOf(key: SeriesKey, groupBy?: readonly string[]): string {
  const values = (groupBy ?? Object.keys(key).sort()).map((field) => key[field] ?? '')
  if (values.length < 2) return values[0] ?? ''
  return values.map((value) => value.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
}
