import { id, solutions } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { isAllowed } from '../data/allowed-sources.ts'
import { defineTool } from '../define-tool.ts'
import { type ToolCall, ToolFailure } from '../tool.ts'
import { waitForEnd, waitSeconds } from '../wait-for-end.ts'

const [maxSeries, maxNextPoints, maxPeaks] = [20, 14, 3]

const input = z.strictObject({
  forecast_run_id: id('fr'),
  wait_seconds: waitSeconds().describe('Waits so long for a forecast that has not ended'),
})

export const readForecast = (internal: InternalCalls) =>
  defineTool({
    name: 'read_forecast',
    description:
      'Reads a forecast run: of each series the model, its accuracy, totals, peaks and the next values. Waits for a run that has not ended.',
    input,
    requiredScopes: ['solutions:read'],
    async run({ forecast_run_id: runId, wait_seconds: seconds }, call) {
      const run = await waitForEnd(() => readRun(internal, call, runId), seconds, call.signal)
      return { output: summarizeForecast(run) }
    },
  })

/** @throws ToolFailure if the forecast is of a data source that the run may not read */
async function readRun(internal: InternalCalls, call: ToolCall, runId: string): Promise<ForecastRunView> {
  const run = await internal.call(solutions.getForecastRun, call.caller, { params: { id: runId } })
  if (call.dataSourceIds.length > 0 && !isAllowed(call, String(run.input.data_source_id)))
    throw new ToolFailure(`${runId} is not a forecast of the data sources of this run`)
  return run
}

type ForecastRunView = z.input<typeof solutions.getForecastRun.ok>
type Series = ForecastRunView['series'][number]

/** Returns what a forecast says, without its hundreds of points. */
const summarizeForecast = ({ id, status, progress, error, input, series }: ForecastRunView) => ({
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
