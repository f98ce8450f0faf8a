import type { Operations, solutions, solutionsInternal } from '@wp/contracts'
import { quotaUsageOperation } from '@wp/database'
import type { Context } from '../context.ts'
import { forecastRunQuota } from '../runs/queue.ts'
import { cancelForecastRun } from './cancel-forecast-run.ts'
import { getForecastAccuracy } from './get-forecast-accuracy.ts'
import { getForecastContent } from './get-forecast-content.ts'
import { listSolutions } from './list-solutions.ts'
import { getForecastRun, listForecastRuns } from './read-forecast-runs.ts'
import { getRecommendation, listRecommendations, updateRecommendation } from './recommendations.ts'
import { startForecastRun } from './start-forecast-run.ts'

export const operations = {
  listSolutions,
  listForecastRuns,
  startForecastRun,
  getForecastRun,
  getForecastContent,
  getForecastAccuracy,
  cancelForecastRun,
  listRecommendations,
  getRecommendation,
  updateRecommendation,
} satisfies Operations<typeof solutions, Context>

export const internalOperations = { readQuotaUsage: quotaUsageOperation(forecastRunQuota) } satisfies Operations<
  typeof solutionsInternal,
  Context
>
