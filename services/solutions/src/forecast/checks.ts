import { ForecastInputError } from './errors.ts'
import { minimumLength } from './evaluation/folds.ts'
import { type RegularSeries, regularize } from './series/regularize.ts'
import type { ForecastInput, Frequency, InputSeries } from './shapes.ts'

/** A series has less history than a forecast of its frequency and horizon needs. Counts are in steps. */
export interface TooShort {
  key: InputSeries['key']
  message: string
  required: number
  available: number
}

/**
 * Returns each series that is too short, in input order. Cheap enough to call before a run is accepted.
 */
export function findTooShort(input: ForecastInput): TooShort[] {
  checkHorizon(input)
  return input.series.flatMap((series) => lengthError(series, regularize(series, input), input) ?? [])
}

/** Checks the length of a series and that at least a fifth of it is observed (an office has about a third). */
export function lengthError(
  { key }: InputSeries,
  { quality }: RegularSeries,
  { frequency, horizon }: ForecastInput,
): TooShort | null {
  const required = minimumLength(frequency, horizon)
  const present = quality.length - quality.gaps
  const available = quality.length < required ? quality.length : present
  if (quality.length >= required && present >= required / 5) return null
  const message = `The series needs at least ${spanText(required, frequency)} of history and has ${spanText(available, frequency)}.`
  return { key, message, required, available }
}

/** Writes a number of steps as people count time: `2 weeks` and `9 days` of hours, but `30 hours`. */
function spanText(steps: number, frequency: Frequency): string {
  if (frequency === 'hour' && steps % 168 === 0 && steps > 0) return spanText(steps / 168, 'week')
  if (frequency === 'hour' && steps >= 48) return spanText(Math.floor(steps / 24), 'day')
  return `${steps} ${frequency}${steps === 1 ? '' : 's'}`
}

export function checkHorizon({ horizon }: ForecastInput): void {
  if (Number.isInteger(horizon) && horizon >= 1) return
  throw new ForecastInputError('horizon_invalid', 'The horizon must be a whole number of steps, 1 or more.')
}
