import { createJobRunner } from '@wp/jobs'
import type { Worker } from '@wp/runtime'
import { createCallerResolver } from '@wp/service'
import type { Context } from '../context.ts'
import { replayQueue } from './replay.ts'
import { runReplay } from './run-replay.ts'

/** Replays at once per process. One workspace has one of them while others wait. */
const replaySlots = 4

/** Creates the runner of replay jobs, which run with the current permissions of their callers. */
export const createReplayRunner = (context: Context): Worker =>
  createJobRunner({
    database: context.database,
    bus: context.bus,
    service: 'webhook-delivery',
    queue: replayQueue,
    concurrency: replaySlots,
    maxAttempts: 5,
    resolveCaller: createCallerResolver(context.internal),
    handle: (job, control) => runReplay(context, job, control),
    log: context.log,
    metrics: context.metrics,
  })
