import type { Job } from '@wp/jobs'
import type { Context } from '../context.ts'
import { ForecastInputError, type ForecastOutput, forecastInWorker } from '../forecast/index.ts'
import { type Recommendation, recommend } from '../recommendations/index.ts'
import { insertRecommendation } from '../store/recommendations.ts'
import type { Control, Tx } from '../store/transaction.ts'
import { collectSeries } from './collect-series.ts'
import { failure } from './failure.ts'
import { throttled } from './progress.ts'
import { forecastInput, type RunInput } from './run-input.ts'

/** The shares of a run's progress: reading takes up to here, forecasting the rest. */
const readShare = 0.1

/**
 * One attempt at a run: read the series, forecast in a thread, and commit result, recommendations and events together.
 * @throws JobFailure saying why the run cannot be finished
 */
export async function runForecast(context: Context, job: Job, control: Control): Promise<void> {
  const input = job.input as RunInput // written by start-forecast-run.ts, from the parsed body
  const { series, unusable } = await collectSeries(context, control.caller, input, control.signal)
  await control.progress(readShare)
  const asked = forecastInput(input.asked, series)
  const output = await forecastInWorker(asked, {
    signal: control.signal,
    onProgress: throttled((fraction) => control.progress(readShare + fraction * (1 - readShare))),
  }).catch((error: unknown) => {
    throw error instanceof ForecastInputError ? failure(error.code, error.message) : error
  })
  const [first] = output.series
  if (first?.error !== undefined && output.series.every(({ error }) => error !== undefined))
    throw failure(first.error.code, first.error.message)
  const recommended = recommend({ input: asked, output })
  await control.finish((tx) => conclude(tx, job, withUnusable(output, unusable), recommended))
}

/** FORECASTING_FINISHED goes first, then each recommendation in its turn. */
async function conclude(
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

function withUnusable(output: ForecastOutput, unusable: number): ForecastOutput {
  if (unusable === 0) return output
  const warning = `${unusable} ${unusable === 1 ? 'row has' : 'rows have'} no usable time or value and took no part.`
  return { series: output.series.map((series) => ({ ...series, warnings: [...series.warnings, warning] })) }
}
