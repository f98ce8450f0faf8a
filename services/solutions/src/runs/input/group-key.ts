import { valueFieldKey } from '@wp/contracts'
import type { SeriesKey } from '../../forecast/index.ts'

/** The parameters of a run that name the members of series keys. */
export interface KeyParameters {
  group_by?: readonly string[] | undefined
  value_field?: string | readonly string[] | undefined
}

/** Returns the members of the series keys of a run, in order; undefined for inline series, which have their own. */
export function keyFieldsOf({ group_by: groupBy, value_field: value }: KeyParameters): string[] | undefined {
  if (typeof value !== 'object') return groupBy === undefined ? undefined : [...groupBy]
  return [...(groupBy ?? []), valueFieldKey]
}

/**
 * Returns the group key of a series, under which `capacity` names it: the value of its only field, or the values of its
 * fields joined by `/`, in which `~` is written `~0` and `/` is written `~1`. Inline series have their fields in
 * alphabetical order.
 */
export function groupKeyOf(key: SeriesKey, parameters: KeyParameters = {}): string {
  const values = (keyFieldsOf(parameters) ?? Object.keys(key).sort()).map((field) => key[field] ?? '')
  if (values.length < 2) return values[0] ?? ''
  return values.map((value) => value.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
}
