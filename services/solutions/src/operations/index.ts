import { quotaUsageOperation } from '@wp/database'
import { forecastRunQuota } from '../runs/queue.ts'
import { scenarioQuota } from '../scenarios/scenario-job.ts'
import { datasetQuota } from '../store/datasets.ts'
import { planScheduleQuota } from '../store/plan-schedules.ts'
import { spaceQuota } from '../store/spaces.ts'
import { teamQuota } from '../store/teams.ts'
import { refreshQuota } from './datasets/datasets.ts'

// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { listDatasetValues } from './datasets/dataset-values.ts'
export {
  createDataset,
  deleteDataset,
  getDataset,
  getDatasetRefresh,
  listDatasets,
  refreshDataset,
  updateDataset,
} from './datasets/datasets.ts'
export {
  cancelForecastRun,
  deleteForecastRun,
  getForecastContent,
  getForecastHistory,
  getForecastRun,
  listForecastRuns,
} from './forecast-runs.ts'
export { getForecastAccuracy } from './get-forecast-accuracy.ts'
export { listSolutions } from './list-solutions.ts'
export {
  createPlanSchedule,
  deletePlanSchedule,
  getPlanSchedule,
  listPlanSchedules,
  runPlanSchedule,
  updatePlanSchedule,
} from './plan-schedules.ts'
export { getPlan, listPlans } from './plans.ts'
export { getRecommendation, listRecommendations, updateRecommendation } from './recommendations.ts'
export {
  cancelScenario,
  compareScenarios,
  createScenario,
  deleteScenario,
  getScenario,
  getScenarioContent,
  listScenarios,
} from './scenarios.ts'
export { createSpace, deleteSpace, getSpace, listSpaces, updateSpace } from './spaces.ts'
export { startForecastRun } from './start-forecast-run.ts'
export { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from './teams.ts'
export { getUtilization, getUtilizationContent, listNoShows } from './utilization.ts'
export { getWorkplaceSettings, updateWorkplaceSettings } from './workplace-settings.ts'

export const readQuotaUsage = quotaUsageOperation(
  ...[forecastRunQuota, refreshQuota, scenarioQuota, planScheduleQuota],
  ...[spaceQuota, teamQuota, datasetQuota],
)
