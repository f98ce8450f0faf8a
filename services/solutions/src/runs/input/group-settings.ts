import { bodyPointer, type FieldError, nearestName, validationProblem, valueFieldKey } from '@wp/contracts'
import type { InputSeries, SeriesKey } from '../../forecast/index.ts'
import { listNames } from '../quote-value.ts'

/** The parameters of a run that concern capacity. */
interface CapacityParameters extends KeyParameters {
  /** One for each series, or by group key. */
  capacity?: number | Readonly<Record<string, number>> | undefined
}

/** Returns the capacity of a series; undefined if it has none. */
export function capacityOf(parameters: CapacityParameters, key: InputSeries['key']): number | undefined {
  const { capacity } = parameters
  if (typeof capacity !== 'object') return capacity
  const groupKey = groupKeyOf(key, parameters)
  return Object.hasOwn(capacity, groupKey) ? capacity[groupKey] : undefined
}

/** Returns the warnings for each series, at its index: `capacity` has numbers by group key, but none for this one. */
export function capacityWarnings(parameters: CapacityParameters, keys: readonly InputSeries['key'][]): string[][] {
  return keys.map((key) => {
    if (typeof parameters.capacity !== 'object' || capacityOf(parameters, key) !== undefined) return []
    return [`\`capacity\` has no number for "${groupKeyOf(key, parameters)}".`]
  })
}

/** Limits the comparisons of misspelt names. */
const maxErrors = 10

/**
 * Checks that each group key of `capacity` is one of an inline series.
 * @throws Problem `validation_failed`
 */
export function checkCapacityKeys(parameters: CapacityParameters, series: readonly InputSeries[]): void {
  const { capacity } = parameters
  if (typeof capacity !== 'object') return
  const known = series.map(({ key }) => groupKeyOf(key))
  const errors = Object.keys(capacity)
    .filter((name) => !known.includes(name))
    .slice(0, maxErrors)
    .map((name): FieldError => {
      const nearest = nearestName(name, known)
      const hint = nearest === undefined ? '.' : `; did you mean "${nearest}"?`
      const detail = `"${name}" is not a group key of a series${hint} The group keys are ${listNames(known)}`
      return { pointer: bodyPointer(['capacity', name]), detail }
    })
  if (errors.length > 0) throw validationProblem(errors)
}

/** The parameters of a run that concern closures. */
interface ClosureParameters extends KeyParameters {
  closures?: readonly { dates: readonly string[]; groups?: readonly string[] | undefined }[] | undefined
}

export function closedDatesOf(parameters: ClosureParameters, key: InputSeries['key']): string[] {
  const { closures = [] } = parameters
  const groupKey = groupKeyOf(key, parameters)
  return closures.flatMap(({ dates, groups }) => (groups?.includes(groupKey) === false ? [] : dates))
}

/**
 * Checks that each group of a closure is one of the inline series.
 * @throws Problem `validation_failed`
 */
export function checkClosedGroups({ closures = [] }: ClosureParameters, series: readonly InputSeries[]): void {
  const known = series.map(({ key }) => groupKeyOf(key))
  const errors = closures.flatMap(({ groups = [] }, closure) =>
    groups.flatMap((name, index): FieldError[] =>
      known.includes(name)
        ? []
        : [
            {
              pointer: bodyPointer(['closures', closure, 'groups', index]),
              detail: `"${name}" is not a group key of a series. The group keys are ${listNames(known)}`,
            },
          ],
    ),
  )
  if (errors.length > 0) throw validationProblem(errors)
}

/** The parameters of a run that name the members of series keys. */
interface KeyParameters {
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
