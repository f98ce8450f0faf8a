import { parseTimestamp } from '@wp/tabular'
import { ForecastInputError } from './errors.ts'

/** Parses local dates to days since 1970-01-01. @throws ForecastInputError if one is not a date */
export function parseDates(dates: readonly string[] = []): ReadonlySet<number> {
  return new Set(
    dates.map((date) => {
      const written = parseTimestamp(date)
      if (!written || date.length !== 10) {
        throw new ForecastInputError('holiday_invalid', `"${date}" is not a date (YYYY-MM-DD).`)
      }
      return written.wallMs / 86_400_000
    }),
  )
}
