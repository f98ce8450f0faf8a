import type { Frequency, SeriesKey } from './shapes.ts'

/** Thrown when the request is invalid regardless of its data. */
export class ForecastInputError extends Error {
  readonly code: 'timezone_unknown' | 'holiday_invalid' | 'horizon_invalid'

  constructor(code: ForecastInputError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ForecastInputError'
    this.code = code
  }
}

/** A series has less history than a forecast of this frequency and horizon needs. Counts are in steps. */
export class SeriesTooShortError extends Error {
  readonly code = 'series_too_short'
  readonly key: SeriesKey
  readonly required: number
  readonly available: number

  constructor(key: SeriesKey, frequency: Frequency, required: number, available: number) {
    super(`The series needs at least ${required} ${frequency}s of history and has ${available}.`)
    this.name = 'SeriesTooShortError'
    this.key = key
    this.required = required
    this.available = available
  }
}
