import { Problem } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import type { Job, JobControl } from '@wp/jobs'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import { type ForecastInput, ForecastInputError, type ForecastOutput, forecastInWorker } from '../forecast/index.ts'
import { recommend } from '../recommendations/index.ts'
import { insertRecommendation } from '../store/recommendations.ts'
import { collectSeries } from './collect-series.ts'
import { forecastInput, type RunInput } from './run-input.ts'

/** The shares of a run's progress: reading takes up to here, forecasting the rest. */
const readShare = 0.1

/** One attempt at a run: read the series, forecast in a thread, and commit result, recommendations and events together. */
export async function runForecast(context: Context, job: Job, control: JobControl): Promise<void> {
  const input = job.input as RunInput // written by start-forecast-run.ts, from the parsed body
  try {
    const { series, unusable } = await collectSeries(context.internal, control.caller, input, control.signal)
    if (series.length === 0)
      return await control.fail({
        code: 'no_data',
        message: 'The data source has no rows to forecast from',
        retryable: false,
      })
    await control.progress(readShare)
    const asked = forecastInput(input, series)
    const output = await forecastInWorker(asked, {
      signal: control.signal,
      onProgress: (fraction) => void control.progress(readShare + fraction * (1 - readShare)),
    })
    const [first] = output.series
    if (first?.error !== undefined && output.series.every(({ error }) => error !== undefined))
      return await control.fail({ code: first.error.code, message: first.error.message, retryable: false })
    await control.finish((tx) => conclude(tx as Transaction<PrismaClient>, job, asked, withUnusable(output, unusable))) // the runner runs on this service's database
  } catch (error) {
    if (error instanceof ForecastInputError)
      return control.fail({ code: error.code, message: error.message, retryable: false })
    if (error instanceof Problem && error.status < 500)
      return control.fail({ code: error.code, message: error.detail, retryable: false })
    throw error
  }
}

/** FORECASTING_FINISHED goes first, then each recommendation in its turn. */
async function conclude(
  tx: Transaction<PrismaClient>,
  job: Job,
  input: ForecastInput,
  output: ForecastOutput,
): Promise<ForecastOutput> {
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
