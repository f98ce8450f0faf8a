import { ForecastInputError, SeriesTooShortError } from './errors.ts'
import { minimumLength } from './evaluation/folds.ts'
import { type RegularSeries, regularize } from './series/regularize.ts'
import type { ForecastInput, InputSeries } from './shapes.ts'

/**
 * Returns an error for each series that is too short, in input order. Cheap enough to call before a run is accepted.
 */
export function findTooShort(input: ForecastInput): SeriesTooShortError[] {
  checkHorizon(input)
  return input.series.flatMap((series) => lengthError(series, regularize(series, input), input) ?? [])
}

/** Checks the length of a series and that at least a fifth of it is observed (an office has about a third). */
export function lengthError(
  { key }: InputSeries,
  { quality }: RegularSeries,
  { frequency, horizon }: ForecastInput,
): SeriesTooShortError | null {
  const required = minimumLength(frequency, horizon)
  const present = quality.length - quality.gaps
  if (quality.length < required) return new SeriesTooShortError(key, frequency, required, quality.length)
  if (present < required / 5) return new SeriesTooShortError(key, frequency, required, present)
  return null
}

export function checkHorizon({ horizon }: ForecastInput): void {
  if (Number.isInteger(horizon) && horizon >= 1) return
  throw new ForecastInputError('horizon_invalid', 'The horizon must be a whole number of steps, 1 or more.')
}
