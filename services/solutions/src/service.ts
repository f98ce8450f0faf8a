import { solutions, solutionsInternal } from '@wp/contracts'
import { bindSurface, createCallerResolver, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createForecastThreads } from './forecast/index.ts'
import { internalOperations, operations } from './operations/index.ts'
import { emitRunFailed } from './runs/emit-run-failed.ts'
import { forecastQueue } from './runs/queue.ts'
import { runForecast } from './runs/run-forecast.ts'
import type { Control } from './store/client.ts'

export function createService(context: Context): Service {
  const { config, bus, internal } = context
  const database = context.database.background
  const threads = createForecastThreads(config.FORECAST_THREADS)
  return {
    surfaces: [
      bindSurface(solutions, operations, context),
      bindSurface(solutionsInternal, internalOperations, context),
    ],
    database,
    bus,
    jobs: [
      {
        queue: forecastQueue,
        concurrency: config.FORECAST_CONCURRENCY,
        resolveCaller: createCallerResolver(internal),
        handle: (job, control: Control) => runForecast({ ...context, database }, threads, job, control),
        onFailed: emitRunFailed,
        leaseMs: config.JOB_LEASE_SECONDS * 1_000,
      },
    ],
    async close() {
      await threads.close()
      await bus.close()
      await database.close()
    },
  }
}
