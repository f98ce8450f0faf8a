import { solutions } from '@wp/contracts'
import { viewOf } from '@wp/database'
import { type Job, jobFields } from '@wp/jobs'
import type { z } from 'zod'
import type { RunInput, RunParameters, RunResult } from './runs/input/run-input.ts'
import type { RecommendationRow } from './store/recommendations.ts'

type RunDetail = z.input<typeof solutions.getForecastRun.ok>

/** Returns a run without its result. */
export const runView = (job: Job): z.input<typeof solutions.startForecastRun.accepted> => ({
  id: job.id,
  ...jobFields(job),
  input: inputView((job.input as RunInput).parameters), // written by start-forecast-run.ts, from the parsed body
  metadata: job.metadata,
  external_id: job.externalId,
})

/** Returns the input of a run as another run takes it: one over the workplace has no aggregation of its own. */
const inputView = ({ aggregation, ...input }: RunParameters) =>
  input.workplace === undefined ? { ...input, aggregation } : input

/** Returns a run with its series, which are empty until it is finished; their histories are read by themselves. */
export const runDetailView = (job: Job): RunDetail => {
  const { series = [], histories: _histories, rests_on: _restsOn, ...rest } = (job.result ?? {}) as Partial<RunResult> // written by run-forecast.ts
  // The catch-all of the contract has no exact type.
  return { ...runView(job), ...rest, series: series as unknown as RunDetail['series'] }
}

type RecommendationView = z.input<typeof solutions.getRecommendation.ok>

export const recommendationView = (row: RecommendationRow): RecommendationView =>
  viewOf(solutions.getRecommendation.ok, row, {
    last_forecast_run_id: row.lastRunId ?? row.forecastRunId,
    kind: row.kind as RecommendationView['kind'], // written by this service from these words alone
    key: row.key as Record<string, string>, // written from a series key, which is this
    figures: row.figures as Record<string, string | number>, // written from the figures of a recommendation, which are this
    window: row.window as RecommendationView['window'], // this and those below: written from a recommendation, which has them
    expected_effect: row.expectedEffect as RecommendationView['expected_effect'],
    saving: row.saving as RecommendationView['saving'],
    follow_up: row.followUp as RecommendationView['follow_up'],
    status: row.status as 'open' | 'accepted' | 'dismissed', // written by this service from these words alone
  })
