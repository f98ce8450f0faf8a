import type { ForecastOutput, ForecastSeries } from '../forecast/index.ts'
import type { CollectedSeries } from './series/collect-series.ts'
import { describeShare } from './series/require-usable-rows.ts'

/**
 * Replaces each series that rests on a smaller share of its rows by one with an error, so that no forecast of it is
 * shown and nothing is recommended from it.
 * @param collected the series of the same index
 */
export function requireUsableSeries(
  { series, histories, profiles }: ForecastOutput,
  collected: readonly Pick<CollectedSeries, 'unusable'>[],
  { minShare, format }: { minShare: number; format: string | undefined },
): ForecastOutput {
  const isUsable = ({ data_quality: { usable_share: share } }: ForecastSeries): boolean => share >= minShare
  const ofUsable = <Part>(part: Part, index: number): Part | null => {
    const one = series[index]
    return one !== undefined && isUsable(one) ? part : null
  }
  return {
    series: series.map((one, index) =>
      isUsable(one) ? one : withoutForecast(one, collected[index]?.unusable ?? null, minShare, format),
    ),
    histories: histories.map(ofUsable),
    profiles: profiles.map(ofUsable),
  }
}

function withoutForecast(
  { key, data_quality: quality, warnings }: ForecastSeries,
  unusable: CollectedSeries['unusable'],
  minShare: number,
  format: string | undefined,
): ForecastSeries {
  const of = quality.rows_read - quality.rows_empty
  const message = describeShare({ used: quality.rows_used, of, minShare }, unusable, format)
  return {
    key,
    points: [],
    model: null,
    accuracy: null,
    data_quality: quality,
    warnings,
    error: { code: 'too_few_usable_rows', message, retryable: false },
  }
}
