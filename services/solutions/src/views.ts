import type { solutions } from '@wp/contracts'
import { type Job, jobFields } from '@wp/jobs'
import type { z } from 'zod'
import type { ForecastOutput } from './forecast/index.ts'
import type { RunInput } from './runs/run-input.ts'
import type { RecommendationRow } from './store/recommendations.ts'

type RunDetail = z.input<typeof solutions.getForecastRun.ok>

/** Returns a run without its result. */
export const runView = (job: Job): z.input<typeof solutions.startForecastRun.accepted> => ({
  id: job.id,
  ...jobFields(job),
  input: { ...(job.input as RunInput).parameters }, // written by start-forecast-run.ts, from the parsed body
  metadata: job.metadata,
  external_id: job.externalId,
})

/** Returns a run with its series, which are empty until it is finished. */
export const runDetailView = (job: Job): RunDetail => ({
  ...runView(job),
  series: ((job.result as ForecastOutput | null)?.series ?? []) as unknown as RunDetail['series'], // written by run-forecast.ts; the catch-all of the contract has no exact type
})

export const recommendationView = (row: RecommendationRow): z.input<typeof solutions.getRecommendation.ok> => ({
  id: row.id,
  forecast_run_id: row.forecastRunId,
  kind: row.kind as 'underused_weekday', // the only kind; the response is parsed with the contract
  key: row.key as Record<string, string>, // written from a series key, which is this
  title: row.title,
  rationale: row.rationale,
  figures: row.figures as Record<string, string | number>, // written from the figures of a recommendation, which are this
  status: row.status as 'open' | 'accepted' | 'dismissed', // written by this service from these words alone
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
