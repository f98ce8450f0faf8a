import type { InputOf, solutions } from '@wp/contracts'
import type { ForecastInput, InputSeries } from '../forecast/index.ts'

/** What was asked, as the job keeps it. */
export type RunInput = Omit<InputOf<typeof solutions.startForecastRun>['body'], 'metadata' | 'external_id'>

/** What the forecast engine is asked, once the series are there. */
export function forecastInput(input: RunInput, series: InputSeries[]): ForecastInput {
  const { frequency, aggregation, timezone, horizon, levels, capacity, holidays } = input
  return {
    series,
    frequency,
    aggregation,
    timezone,
    horizon,
    levels: [...levels],
    ...(capacity === undefined ? {} : { capacity }),
    ...(holidays === undefined ? {} : { holidays }),
  }
}

/** What was asked, as the caller sees it: inline points are replaced by their count. */
export function shownInput({ series, ...rest }: RunInput): Record<string, unknown> {
  if (series === undefined) return rest
  return { ...rest, series: series.map(({ key, points }) => ({ key, point_count: points.length })) }
}
