import type { Operations, solutions, solutionsInternal } from '@wp/contracts'
import type { Context } from '../context.ts'
import { cancelForecastRun } from './cancel-forecast-run.ts'
import { getForecastAccuracy } from './get-forecast-accuracy.ts'
import { getForecastContent } from './get-forecast-content.ts'
import { listSolutions } from './list-solutions.ts'
import { getForecastRun, listForecastRuns } from './read-forecast-runs.ts'
import { readQuotaUsage } from './read-quota-usage.ts'
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

export const internalOperations = { readQuotaUsage } satisfies Operations<typeof solutionsInternal, Context>
