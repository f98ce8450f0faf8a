import { agents, ai, aiInternal } from '@wp/contracts'
import { bindSurface, createCallerResolver, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createReleaseHandler, releaseQueue, rescheduleRelease } from './integration-uses/release-use.ts'
import { agentOperations, aiOperations, internalOperations } from './operations/index.ts'
import { failRun } from './runs/end-run.ts'
import { executeRun, runnerGraceMs } from './runs/engine/execute-run.ts'
import { agentRunQueue } from './runs/queue.ts'
import type { Control } from './store/client.ts'
import { eventRetention } from './store/runs/run-events.ts'

/** Unlimited: an integration with an unreleased use could never be deleted. */
const releaseAttempts = Number.MAX_SAFE_INTEGER
/** Slots for releases: with one, those of one workspace would delay those of all others. */
const maintenanceSlots = 4

export function createService(context: Context): Service {
  const { config, bus, internal } = context
  const database = context.database.background
  const leaseMs = config.JOB_LEASE_SECONDS * 1_000
  return {
    surfaces: [
      bindSurface(agents, agentOperations, context),
      bindSurface(ai, aiOperations, context),
      bindSurface(aiInternal, internalOperations, context),
    ],
    database,
    bus,
    retention: [eventRetention(config.RUN_EVENT_RETENTION_DAYS)],
    jobs: [
      {
        leaseMs,
        queue: agentRunQueue,
        concurrency: config.RUN_CONCURRENCY,
        resolveCaller: createCallerResolver(internal),
        handle: (job, control: Control) => executeRun({ ...context, database }, job, control),
        onFailed: (tx, job) => failRun(tx, context.liveEvents, job),
        graceMs: runnerGraceMs,
      },
      {
        leaseMs,
        queue: releaseQueue,
        concurrency: maintenanceSlots,
        maxAttempts: releaseAttempts,
        handle: createReleaseHandler(internal),
        onFailed: rescheduleRelease,
      },
    ],
    async close() {
      await bus.close()
      await context.modelTransports.close()
      await database.close()
    },
  }
}
