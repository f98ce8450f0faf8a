import { ForecastInputError, SeriesTooShortError } from './errors.ts'
import { minimumLength } from './folds.ts'
import { type RegularSeries, regularise } from './regularise.ts'
import type { ForecastInput, InputSeries } from './shapes.ts'
import { readTimestamp } from './timestamps.ts'

/** The series a forecast would refuse, in the order of the input; cheap enough to ask before a run is accepted. */
export function findTooShort(input: ForecastInput): SeriesTooShortError[] {
  checkHorizon(input)
  return input.series.flatMap((series) => lengthError(series, regularise(series, input), input) ?? [])
}

/** Long enough, and not mostly holes: of a series shut at night and at weekends a third is there. */
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

/** Local dates as days since 1970-01-01. */
export function readHolidays(dates: string[] = []): ReadonlySet<number> {
  return new Set(
    dates.map((date) => {
      const written = readTimestamp(date)
      if (!written || date.length !== 10) {
        throw new ForecastInputError('holiday_invalid', `"${date}" is not a date (YYYY-MM-DD).`)
      }
      return written.wallMs / 86_400_000
    }),
  )
}
