import type { Job } from '@wp/jobs'
import type { Context } from '../context.ts'
import { ForecastInputError, type ForecastOutput, forecastInWorker } from '../forecast/index.ts'
import { type Recommendation, recommend } from '../recommendations/index.ts'
import { insertRecommendation } from '../store/recommendations.ts'
import type { Control, Tx } from '../store/transaction.ts'
import { capacityWarnings } from './capacities.ts'
import { collectSeries } from './collect-series.ts'
import { failure } from './failure.ts'
import { throttle } from './progress.ts'
import { type RunInput, toForecastInput } from './run-input.ts'

/** The share of a run's progress for reading; the rest is forecasting. */
const readShare = 0.1

/**
 * Runs one attempt: reads the series, forecasts in a worker thread, and commits result, recommendations and events together.
 * @throws JobFailure if the run cannot finish
 */
export async function runForecast(context: Context, job: Job, control: Control): Promise<void> {
  const input = job.input as RunInput // written by start-forecast-run.ts, from the parsed body
  const series = await collectSeries(context, control.caller, input, control.signal)
  await control.progress(readShare)
  const forecastInput = toForecastInput(input.parameters, series)
  const output = await forecastInWorker(forecastInput, {
    signal: control.signal,
    onProgress: throttle((fraction) => control.progress(readShare + fraction * (1 - readShare))),
  }).catch((error: unknown) => {
    throw error instanceof ForecastInputError ? failure(error.code, error.message) : error
  })
  const [first] = output.series
  if (first?.error !== undefined && output.series.every(({ error }) => error !== undefined))
    throw failure(first.error.code, first.error.message)
  const recommended = recommend({ input: forecastInput, output })
  const capacities = capacityWarnings(
    input.parameters,
    series.map(({ key }) => key),
  )
  const warnings = series.map((collected, index) => [...collected.warnings, ...(capacities[index] ?? [])])
  await control.finish((tx) => emitResult(tx, job, withWarnings(output, warnings), recommended))
}

/** Stores recommendations and emits FORECASTING_FINISHED, then one event per recommendation. */
async function emitResult(
  tx: Tx,
  job: Job,
  output: ForecastOutput,
  recommended: readonly Recommendation[],
): Promise<ForecastOutput> {
  tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: job.id, status: 'finished' } })
  for (const recommendation of recommended) {
    const { id, kind, title } = await insertRecommendation(tx.db, job.workspaceId, job.id, recommendation)
    tx.emit({ kind: 'RECOMMENDATION_CREATED', data: { id, status: 'open', forecast_run_id: job.id, kind, title } })
  }
  return output
}

/** Adds warnings to the series of the same index. */
const withWarnings = (output: ForecastOutput, warnings: readonly string[][]): ForecastOutput => ({
  series: output.series.map((series, index) => ({
    ...series,
    warnings: [...series.warnings, ...(warnings[index] ?? [])],
  })),
})
