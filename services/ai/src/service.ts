import { agents, ai, aiInternal } from '@wp/contracts'
import { bindSurface, createCallerResolver, type Service } from '@wp/service'
import { releaseJobs } from './agents/integration-references.ts'
import type { Context } from './context.ts'
import { failEvaluation } from './evaluations/end-evaluation.ts'
import { runEvaluation } from './evaluations/run-evaluation.ts'
import * as operations from './operations/index.ts'
import { failRun } from './runs/end-run.ts'
import { executeRun, runnerGraceMs } from './runs/engine/execute-run.ts'
import { agentRunQueue, evaluationQueue } from './runs/queue.ts'
import type { Control, Tx } from './store/client.ts'
import { eventRetention } from './store/runs/run-events.ts'
import { createTriggerConsumer } from './triggers/consume-events.ts'
import { triggerSchedule } from './triggers/trigger-schedule.ts'

/** Slots for evaluations, which hold one for the time of some statements only. */
const evaluationSlots = 8

export function createService(context: Context): Service {
  const { config, bus, internal, log, metrics, now } = context
  const database = context.database.background
  const leaseMs = config.JOB_LEASE_SECONDS * 1_000
  return {
    surfaces: [
      bindSurface(agents, operations, context),
      bindSurface(ai, operations, context),
      bindSurface(aiInternal, operations, context),
    ],
    database,
    bus,
    retention: [eventRetention(config.RUN_EVENT_RETENTION_DAYS)],
    schedules: [triggerSchedule({ database, log, now })],
    workers: [createTriggerConsumer({ database, bus, log, metrics, now })],
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
        queue: evaluationQueue,
        concurrency: evaluationSlots,
        resolveCaller: createCallerResolver(internal),
        handle: (job, control: Control) => runEvaluation({ database }, job, control),
        onFailed: (tx: Tx, job) => failEvaluation({ ...context, database }, tx, job),
      },
      releaseJobs(internal, leaseMs),
    ],
    close: () => context.modelTransports.close(),
  }
}
