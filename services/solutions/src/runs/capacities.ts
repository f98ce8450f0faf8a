import { bodyPointer, type FieldError, nearestName, validationProblem } from '@wp/contracts'
import type { InputSeries } from '../forecast/index.ts'
import { groupKeyOf } from './group-key.ts'
import { listNames } from './list-names.ts'
import type { RunParameters } from './run-input.ts'

type CapacityParameters = Pick<RunParameters, 'capacity' | 'group_by'>

/** Returns the capacity of a series; undefined if it has none. */
export function capacityOf({ capacity, group_by: groupBy }: CapacityParameters, key: InputSeries['key']) {
  if (typeof capacity !== 'object') return capacity
  const groupKey = groupKeyOf(key, groupBy)
  return Object.hasOwn(capacity, groupKey) ? capacity[groupKey] : undefined
}

/** Returns the warning for each series, at its index, that `capacity` names others but not this one. */
export function capacityWarnings(parameters: CapacityParameters, keys: readonly InputSeries['key'][]): string[][] {
  const { capacity, group_by: groupBy } = parameters
  if (typeof capacity !== 'object') return keys.map(() => [])
  const groupKeys = keys.map((key) => groupKeyOf(key, groupBy))
  const unused = Object.keys(capacity).filter((name) => !groupKeys.includes(name))
  const rest = unused.length === 0 ? '' : `; of ${listNames(unused)} there are no rows`
  return groupKeys.map((name) =>
    Object.hasOwn(capacity, name) ? [] : [`\`capacity\` has no number for "${name}"${rest}.`],
  )
}

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
    .map((name): FieldError => {
      const nearest = nearestName(name, known)
      const hint = nearest === undefined ? '.' : `; did you mean "${nearest}"?`
      const detail = `"${name}" is not a group key of a series${hint} The group keys are ${listNames(known)}`
      return { pointer: bodyPointer(['capacity', name]), detail }
    })
  if (errors.length > 0) throw validationProblem(errors)
}
