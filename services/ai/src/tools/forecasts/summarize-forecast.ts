import type { solutions } from '@wp/contracts'
import type { z } from 'zod'

export type ForecastRunView = z.input<typeof solutions.getForecastRun.ok>
type Series = ForecastRunView['series'][number]

const [maxSeries, maxNextPoints, maxPeaks] = [20, 14, 3]

/** Returns what a forecast says, without its hundreds of points. */
export const summarizeForecast = ({ id, status, progress, error, input, series }: ForecastRunView) => ({
  forecast_run_id: id,
  status,
  ...(status === 'running' || status === 'queued' ? { progress, note: 'Not ended yet: call read_forecast again' } : {}),
  ...(error === null ? {} : { error }),
  frequency: input.frequency,
  aggregation: input.aggregation,
  value_field: input.value_field,
  ...(input.measure === undefined ? {} : { measure: input.measure }),
  ...(series.length > maxSeries ? { omitted_series: series.length - maxSeries } : {}),
  series: series.slice(0, maxSeries).map(summarizeSeries),
})

function summarizeSeries({ key, points, model, accuracy, data_quality: quality, warnings, error }: Series) {
  const total = points.reduce((sum, { mean }) => sum + mean, 0)
  return {
    key,
    ...(error === undefined ? {} : { error }),
    model: model?.selected ?? null,
    accuracy:
      accuracy === null
        ? null
        : {
            mase: accuracy.mase,
            wape: accuracy.wape,
            baseline: accuracy.baseline.name,
            baseline_mase: accuracy.baseline.mase,
          },
    ...(quality?.usable_share === undefined || quality.usable_share === 1
      ? {}
      : { usable_share_of_rows: rounded(quality.usable_share) }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.slice(0, 5) }),
    points: points.length,
    ...(points.length === 0
      ? {}
      : {
          from: points[0]?.ts,
          until: points.at(-1)?.ts,
          total: rounded(total),
          mean: rounded(total / points.length),
          peaks: points
            .toSorted((a, b) => b.mean - a.mean)
            .slice(0, maxPeaks)
            .map(roundedPoint),
          lowest: points
            .toSorted((a, b) => a.mean - b.mean)
            .slice(0, 1)
            .map(roundedPoint),
          next: points.slice(0, maxNextPoints).map(roundedPoint),
        }),
  }
}

const roundedPoint = (point: Series['points'][number]) =>
  Object.fromEntries(
    Object.entries(point).map(([name, value]) => [name, typeof value === 'number' ? rounded(value) : value]),
  )

const rounded = (value: number): number => Number(value.toPrecision(6))
