import type { Transaction } from '@wp/database'
import type { Job } from '@wp/jobs'
import type { Context } from '../context.ts'
import { failure } from '../failure.ts'
import {
  ForecastInputError,
  type ForecastOutput,
  type ForecastSeries,
  type ForecastThreads,
} from '../forecast/index.ts'
import type { Control } from '../store/client.ts'
import { capacityWarnings } from './input/group-settings.ts'
import {
  maxHistoryValues,
  minUsableShareOf,
  type RunInput,
  type RunResult,
  toForecastInput,
} from './input/run-input.ts'
import { throttle } from './progress.ts'
import { recordRecommendations } from './record-recommendations.ts'
import { roundNumbers } from './round-numbers.ts'
import { type CollectedSeries, collectSeries } from './series/collect-series.ts'
import { describeShare } from './series/require-usable-rows.ts'
import { type AfterForecast, runWorkplaceForecast } from './workplace/run-workplace-forecast.ts'

/** The share of a run's progress for reading; the rest is forecasting. */
const readShare = 0.1

/**
 * Runs one attempt: reads the series, forecasts in worker threads, and commits result, recommendations and events
 * together.
 * @throws JobFailure if the run cannot finish
 */
export async function runForecast(
  context: Context & { afterForecast: AfterForecast },
  threads: ForecastThreads,
  job: Job,
  control: Control,
): Promise<void> {
  const input = job.input as RunInput // written by start-forecast-run.ts, from the parsed body
  const { workplace } = input.parameters
  if (workplace !== undefined)
    return runWorkplaceForecast(context, threads, job, control, { ...input.parameters, workplace })
  const series = await collectSeries(context, control.caller, input, control.signal)
  await control.progress(readShare)
  const forecastInput = toForecastInput(input.parameters, series)
  const forecasted = await threads
    .run(forecastInput, {
      workspaceId: job.workspaceId,
      signal: control.signal,
      onProgress: throttle((fraction) => control.progress(readShare + fraction * (1 - readShare))),
    })
    .catch((error: unknown) => {
      throw error instanceof ForecastInputError ? failure(error.code, error.message) : error
    })
  const output = requireUsableSeries(roundNumbers(forecasted), series, {
    minShare: minUsableShareOf(input.parameters),
    format: input.parameters.timestamp_format,
  })
  const [first] = output.series
  if (first?.error !== undefined && output.series.every(({ error }) => error !== undefined))
    throw failure(first.error.code, first.error.message)
  const keys = series.map(({ key }) => key)
  const capacities = capacityWarnings(input.parameters, keys)
  await control.finish(async (tx) => {
    tx.recordUsage({ meter: 'forecast_runs', quantity: 1, subject: job.id, dimensions: {} })
    tx.emit({ kind: 'FORECASTING_FINISHED', data: { id: job.id, status: 'finished' } })
    await recordRecommendations(tx, job, input.parameters, output.profiles)
    return withWarnings(output, series, capacities)
  })
}

/** Adds the warnings about the rows of each series before its own, and those about its capacity after them. */
const withWarnings = (
  output: ForecastOutput,
  collected: readonly CollectedSeries[],
  capacities: readonly string[][],
): RunResult => ({
  // The values of a source of which only aggregates are shown stay with it.
  ...(collected.some(({ isRestricted }) => isRestricted) ? {} : { histories: boundedHistories(output.histories) }),
  series: output.series.map((series, index) => ({
    ...series,
    warnings: [...(collected[index]?.warnings ?? []), ...series.warnings, ...(capacities[index] ?? [])],
  })),
})

/** Returns as many of the last steps of each series as a result may have. */
function boundedHistories(histories: ForecastOutput['histories']): ForecastOutput['histories'] {
  const length = Math.max(1, Math.floor(maxHistoryValues / Math.max(1, histories.length)))
  return histories.map(
    (history) => history && { times: history.times.slice(-length), values: history.values.slice(-length) },
  )
}

/**
 * Emits FORECASTING_FAILED in the transaction that fails the run, whatever the reason: handler, lost leases, revoked
 * caller.
 */
export async function emitRunFailed(tx: Transaction, job: Job): Promise<void> {
  const { code = 'system', message = 'The run failed' } = job.error ?? {}
  tx.emit({ kind: 'FORECASTING_FAILED', data: { id: job.id, status: 'failed', error: { code, message } } })
}

/**
 * Replaces each series that rests on a smaller share of its rows by one with an error, so that no forecast of it is
 * shown and nothing is recommended from it.
 * @param collected the series of the same index
 */
function requireUsableSeries(
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
