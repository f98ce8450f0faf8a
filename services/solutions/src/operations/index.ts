import type { Operations, solutions, solutionsInternal } from '@wp/contracts'
import { quotaUsageOperation } from '@wp/database'
import type { Context } from '../context.ts'
import { forecastRunQuota } from '../runs/queue.ts'
import { scenarioQuota } from '../scenarios/scenario-job.ts'
import { datasetQuota } from '../store/datasets.ts'
import { planScheduleQuota } from '../store/plan-schedules.ts'
import { spaceQuota } from '../store/spaces.ts'
import { teamQuota } from '../store/teams.ts'
import { listDatasetValues } from './datasets/dataset-values.ts'
import {
  createDataset,
  deleteDataset,
  getDataset,
  getDatasetRefresh,
  listDatasets,
  refreshDataset,
  refreshQuota,
  updateDataset,
} from './datasets/datasets.ts'
import { cancelForecastRun, deleteForecastRun } from './end-forecast-run.ts'
import { getForecastAccuracy } from './get-forecast-accuracy.ts'
import { listSolutions } from './list-solutions.ts'
import {
  createPlanSchedule,
  deletePlanSchedule,
  getPlanSchedule,
  listPlanSchedules,
  runPlanSchedule,
  updatePlanSchedule,
} from './plan-schedules.ts'
import { getPlan, listPlans } from './plans.ts'
import { getForecastContent, getForecastHistory, getForecastRun, listForecastRuns } from './read-forecast-runs.ts'
import { getRecommendation, listRecommendations, updateRecommendation } from './recommendations.ts'
import {
  cancelScenario,
  compareScenarios,
  createScenario,
  deleteScenario,
  getScenario,
  getScenarioContent,
  listScenarios,
} from './scenarios.ts'
import { createSpace, deleteSpace, getSpace, listSpaces, updateSpace } from './spaces.ts'
import { startForecastRun } from './start-forecast-run.ts'
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from './teams.ts'
import { getUtilization, getUtilizationContent, listNoShows } from './utilization.ts'
import { getWorkplaceSettings, updateWorkplaceSettings } from './workplace-settings.ts'

export const operations = {
  listSpaces,
  createSpace,
  getSpace,
  updateSpace,
  deleteSpace,
  listTeams,
  createTeam,
  getTeam,
  updateTeam,
  deleteTeam,
  listDatasets,
  createDataset,
  getDataset,
  updateDataset,
  deleteDataset,
  listDatasetValues,
  refreshDataset,
  getDatasetRefresh,
  getUtilization,
  getUtilizationContent,
  listNoShows,
  getWorkplaceSettings,
  updateWorkplaceSettings,
  listScenarios,
  createScenario,
  getScenario,
  getScenarioContent,
  cancelScenario,
  deleteScenario,
  compareScenarios,
  listPlanSchedules,
  createPlanSchedule,
  getPlanSchedule,
  updatePlanSchedule,
  deletePlanSchedule,
  runPlanSchedule,
  listPlans,
  getPlan,
  listSolutions,
  listForecastRuns,
  startForecastRun,
  getForecastRun,
  getForecastHistory,
  getForecastContent,
  getForecastAccuracy,
  cancelForecastRun,
  deleteForecastRun,
  listRecommendations,
  getRecommendation,
  updateRecommendation,
} satisfies Operations<typeof solutions, Context>

export const internalOperations = {
  readQuotaUsage: quotaUsageOperation(
    forecastRunQuota,
    refreshQuota,
    scenarioQuota,
    spaceQuota,
    teamQuota,
    datasetQuota,
    planScheduleQuota,
  ),
} satisfies Operations<typeof solutionsInternal, Context>
