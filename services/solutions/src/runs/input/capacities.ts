import { bodyPointer, type FieldError, nearestName, validationProblem } from '@wp/contracts'
import type { InputSeries } from '../../forecast/index.ts'
import { listNames } from '../quote-value.ts'
import { groupKeyOf, type KeyParameters } from './group-key.ts'

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
