import { createJobRunner } from '@wp/jobs'
import { createCallerResolver, type Worker } from '@wp/service'
import type { Context } from '../context.ts'
import { replayQueue } from './replay.ts'
import { runReplay } from './run-replay.ts'

/** Works replays off, as whoever asked for them may now. */
export const createReplayRunner = (context: Context): Worker =>
  createJobRunner({
    database: context.database,
    bus: context.bus,
    service: 'webhook-delivery',
    queue: replayQueue,
    concurrency: 2,
    maxAttempts: 5,
    resolveCaller: createCallerResolver(context.internal),
    handle: (job, control) => runReplay(context, job, control),
    log: context.log,
    metrics: context.metrics,
  })
