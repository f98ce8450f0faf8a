import { solutions } from '@wp/contracts'
import { paginateCatalogue } from '@wp/database'
import type { Operation } from '../context.ts'

const catalogue = [
  {
    id: 'workplace-utilization',
    name: 'Workplace utilization',
    description:
      'Counts how full buildings are and how often teams are in, from badge events, bookings, people counters or lists of ' +
      'attendance. Withholds figures about few people.',
    endpoints: [
      solutions.createSpace,
      solutions.createTeam,
      solutions.createDataset,
      solutions.listDatasetValues,
      solutions.getUtilization,
      solutions.getUtilizationContent,
      solutions.listNoShows,
      solutions.updateWorkplaceSettings,
    ],
  },
  {
    id: 'workplace-forecast',
    name: 'Workplace forecasting',
    description:
      'Forecasts how full buildings get, by the hour, day or week, with intervals. Recommends what to close, where space ' +
      'runs out, and which service is enough.',
    endpoints: [
      solutions.startForecastRun,
      solutions.listForecastRuns,
      solutions.getForecastRun,
      solutions.getForecastHistory,
      solutions.getForecastContent,
      solutions.getForecastAccuracy,
      solutions.cancelForecastRun,
      solutions.deleteForecastRun,
      solutions.listRecommendations,
      solutions.updateRecommendation,
    ],
  },
  {
    id: 'workplace-scenarios',
    name: 'Workplace scenarios',
    description:
      'Plans which floors are needed on which weekday and who sits where, for changed headcount and attendance, and tells what ' +
      'closing the other floors saves.',
    endpoints: [
      solutions.createScenario,
      solutions.listScenarios,
      solutions.getScenario,
      solutions.getScenarioContent,
      solutions.compareScenarios,
      solutions.cancelScenario,
      solutions.deleteScenario,
    ],
  },
  {
    id: 'workplace-plans',
    name: 'Daily workplace plans',
    description:
      'Tells every morning how many people are expected on which floor, what to order, heat, ventilate and clean, which floors ' +
      'stay closed, and how the plan of the day before did.',
    endpoints: [
      solutions.createPlanSchedule,
      solutions.listPlanSchedules,
      solutions.updatePlanSchedule,
      solutions.runPlanSchedule,
      solutions.listPlans,
      solutions.getPlan,
    ],
  },
].map((solution) => ({ ...solution, endpoints: solution.endpoints.map(({ method, path }) => `${method} ${path}`) }))

export const listSolutions: Operation<'listSolutions'> = async (_context, _caller, { query }) =>
  paginateCatalogue(catalogue, query, ({ id }) => id)
