import { solutions, solutionsInternal } from '@wp/contracts'
import { createJobRunner } from '@wp/jobs'
import { bindSurface, createCallerResolver, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createForecastThreads } from './forecast/index.ts'
import { internalOperations, operations } from './operations/index.ts'
import { emitRunFailed } from './runs/emit-run-failed.ts'
import { forecastQueue } from './runs/queue.ts'
import { runForecast } from './runs/run-forecast.ts'

export function createService(context: Context): Service {
  const { config, bus, internal, log, metrics } = context
  const database = context.database.background
  const threads = createForecastThreads(config.FORECAST_THREADS)
  return {
    surfaces: [
      bindSurface(solutions, operations, context),
      bindSurface(solutionsInternal, internalOperations, context),
    ],
    database,
    bus,
    workers: [
      createJobRunner({
        database,
        bus,
        service: 'solutions',
        queue: forecastQueue,
        concurrency: config.FORECAST_CONCURRENCY,
        resolveCaller: createCallerResolver(internal),
        handle: (job, control) => runForecast({ ...context, database }, threads, job, control),
        onFailed: emitRunFailed,
        leaseMs: config.JOB_LEASE_SECONDS * 1_000,
        heartbeatMs: (config.JOB_LEASE_SECONDS * 1_000) / 3,
        log,
        metrics,
      }),
    ],
    async close() {
      await threads.close()
      await bus.close()
      await database.close()
    },
  }
}
