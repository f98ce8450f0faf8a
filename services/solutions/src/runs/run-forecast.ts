import { type Job, JobFailure } from '@wp/jobs'
import type { Context } from '../context.ts'
import { type ForecastInput, ForecastInputError, type ForecastOutput, forecastInWorker } from '../forecast/index.ts'
import { recommend } from '../recommendations/index.ts'
import { insertRecommendation } from '../store/recommendations.ts'
import type { Control, Tx } from '../store/transaction.ts'
import { collectSeries } from './collect-series.ts'
import { forecastInput, type RunInput } from './run-input.ts'

/** The shares of a run's progress: reading takes up to here, forecasting the rest. */
const readShare = 0.1

/**
 * One attempt at a run: read the series, forecast in a thread, and commit result, recommendations and events together.
 * @throws JobFailure saying why the run cannot be finished
 */
export async function runForecast({ internal }: Context, job: Job, control: Control): Promise<void> {
  const input = job.input as RunInput // written by start-forecast-run.ts, from the parsed body
  const { series, unusable } = await collectSeries(internal, control.caller, input, control.signal)
  if (series.length === 0) throw failure('no_data', 'The data source has no rows to forecast from')
  await control.progress(readShare)
  const asked = forecastInput(input, series)
  const output = await forecastInWorker(asked, {
    signal: control.signal,
    onProgress: (fraction) => void control.progress(readShare + fraction * (1 - readShare)),
  }).catch((error: unknown) => {
    throw error instanceof ForecastInputError ? failure(error.code, error.message) : error
  })
  const [first] = output.series
  if (first?.error !== undefined && output.series.every(({ error }) => error !== undefined))
    throw failure(first.error.code, first.error.message)
  await control.finish((tx) => conclude(tx, job, asked, withUnusable(output, unusable)))
}

const failure = (code: string, message: string) => new JobFailure({ code, message, retryable: false })

/** FORECASTING_FINISHED goes first, then each recommendation in its turn. */
async function conclude(tx: Tx, job: Job, input: ForecastInput, output: ForecastOutput): Promise<ForecastOutput> {
  tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: job.id, status: 'finished' } })
  for (const recommendation of recommend({ input, output })) {
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
