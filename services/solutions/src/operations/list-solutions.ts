import { type Operation, solutions } from '@wp/contracts'
import type { Context } from '../context.ts'

const catalogue = [
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
      solutions.getForecastContent,
      solutions.getForecastAccuracy,
      solutions.cancelForecastRun,
      solutions.listRecommendations,
      solutions.updateRecommendation,
    ].map(({ method, path }) => `${method} ${path}`),
  },
]

/** Returns the whole catalogue as one page. */
export const listSolutions: Operation<typeof solutions.listSolutions, Context> = async () => ({
  items: catalogue,
  nextCursor: null,
})
