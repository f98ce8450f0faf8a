import type { InputOf, solutions } from '@wp/contracts'
import type { ForecastInput, InputSeries } from '../forecast/index.ts'

type Body = InputOf<typeof solutions.startForecastRun>['body']

/** What was asked, as the caller sees it: inline points are replaced by their count. */
export interface Asked extends Omit<Body, 'series' | 'metadata' | 'external_id'> {
  series?: { key: InputSeries['key']; point_count: number }[]
}

/** What was asked, as the job keeps it: what a list shows apart from the points, which may be many. */
export interface RunInput {
  asked: Asked
  /** Inline series. */
  series?: InputSeries[]
}

/** The member of a `RunInput` that lists do without. */
export const bulk: keyof RunInput = 'series'

export function runInput({ metadata: _metadata, external_id: _externalId, series, ...asked }: Body): RunInput {
  if (series === undefined) return { asked }
  return { asked: { ...asked, series: series.map(({ key, points }) => ({ key, point_count: points.length })) }, series }
}

/** What the forecast engine is asked, once the series are there. */
export function forecastInput(asked: Omit<Asked, 'series'>, series: InputSeries[]): ForecastInput {
  const { frequency, aggregation, timezone, horizon, levels, capacity, holidays } = asked
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
