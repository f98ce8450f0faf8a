import { solutions, solutionsInternal } from '@wp/contracts'
import { bindSurface, createCallerResolver, type Service } from '@wp/service'
import { createCountThreads, recountWorkspace } from './attendance/recount.ts'
import { recountQueue } from './attendance/request-recount.ts'
import type { Context } from './context.ts'
import { createFeedConsumer } from './datasets/consume-feed-events.ts'
import { refreshDataset } from './datasets/refresh-dataset.ts'
import { followFailedRefresh } from './datasets/refresh-requests.ts'
import { createForecastThreads } from './forecast/index.ts'
import * as operations from './operations/index.ts'
import { planJobRetention, planQueue, runPlan } from './plans/run-plan.ts'
import { forecastQueue } from './runs/queue.ts'
import { emitRunFailed, runForecast } from './runs/run-forecast.ts'
import { createScenarioThreads, runScenario } from './scenarios/run-scenario.ts'
import { scenarioQueue } from './scenarios/scenario-job.ts'
import { createAfterForecast, recommendFromScenario } from './site-scenarios/after-jobs.ts'
import type { Control } from './store/client.ts'
import { refreshQueue } from './store/datasets.ts'
import { pathRetention } from './store/forecast-paths.ts'
import { planRetention } from './store/plans.ts'

/** Attempts at a scenario that the platform started. Those of users fail at the first timeout. */
const scenarioAttempts = 3

/** Creates the service. Longer than most functions: it lists all that the service does. */
export function createService(context: Context): Service {
  const { config, bus, internal } = context
  const database = context.database.background
  const threads = createForecastThreads(config.FORECAST_THREADS)
  const countThreads = createCountThreads()
  const scenarioThreads = createScenarioThreads()
  const afterForecast = createAfterForecast({ database })
  const leaseMs = config.JOB_LEASE_SECONDS * 1_000
  return {
    surfaces: [bindSurface(solutions, operations, context), bindSurface(solutionsInternal, operations, context)],
    database,
    bus,
    retention: [pathRetention, planRetention, planJobRetention],
    jobs: [
      {
        queue: forecastQueue,
        concurrency: config.FORECAST_CONCURRENCY,
        resolveCaller: createCallerResolver(internal),
        handle: (job, control: Control) => runForecast({ ...context, database, afterForecast }, threads, job, control),
        onFailed: emitRunFailed,
        leaseMs,
      },
      {
        queue: refreshQueue,
        concurrency: config.WORKPLACE_CONCURRENCY,
        handle: (job, control: Control) => refreshDataset({ ...context, database }, job, control),
        onFailed: followFailedRefresh,
        leaseMs,
      },
      {
        queue: recountQueue,
        concurrency: config.WORKPLACE_CONCURRENCY,
        handle: (job, control: Control) => recountWorkspace({ database }, countThreads, job, control),
        leaseMs,
      },
      {
        queue: scenarioQueue,
        concurrency: config.SCENARIO_CONCURRENCY,
        handle: (job, control: Control) =>
          runScenario({ database, afterScenario: recommendFromScenario }, scenarioThreads, job, control),
        maxAttempts: scenarioAttempts,
        leaseMs,
      },
      {
        queue: planQueue,
        calendar: { idPrefix: 'pls' },
        concurrency: config.WORKPLACE_CONCURRENCY,
        handle: (job, control: Control) => runPlan({ database }, job, control),
        leaseMs,
      },
    ],
    workers: [createFeedConsumer({ database, bus, log: context.log, metrics: context.metrics })],
    async close() {
      await Promise.all([threads.close(), countThreads.close(), scenarioThreads.close()])
    },
  }
}
