import type { Caller } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import { type Bus, cancelQueue } from '@wp/events'
import {
  type Backoff,
  createLoop,
  jitteredMs,
  type Log,
  type Metrics,
  noMetrics,
  type PassResult,
  type Worker,
} from '@wp/runtime'
import { claimJobs, listWaiting } from '../queue/claim.ts'
import type { Job } from '../queue/job.ts'
import { createHeartbeat } from './active-lease.ts'
import { hasCapacity, maxWaiting, planClaims } from './fair-shares.ts'
import type { JobControl } from './job-control.ts'
import { createQueueReader } from './queue-reader.ts'
import { runAttempt } from './run-attempt.ts'
import { createRunningJobs } from './running-jobs.ts'

export interface JobRunnerOptions<Client> {
  database: Database<Client>
  /** Wakes runners in other replicas. Without it, and while the broker is unavailable, polling finds due jobs. */
  bus?: Pick<Bus, 'wake' | 'onWake' | 'isConnected'>
  service: string
  queue: string
  /**
   * Number of slots: jobs in progress in this process. One workspace holds at most a quarter of them, at least one,
   * while others wait; idle slots are lent. Default 1.
   */
  concurrency?: number
  /**
   * Handles one job and ends it with `control.finish` or `control.fail`. If it returns without either, the job finishes
   * without a result. If it throws, the job fails: a JobFailure or a Problem gives the reason, any other error becomes
   * `internal_error`.
   */
  handle(job: Job, control: JobControl<Client>): Promise<void>
  /**
   * Returns the stored caller with its current permissions; null if it has none, and the job fails `caller_revoked`.
   */
  resolveCaller?: (caller: Caller) => Promise<Caller | null>
  /** Runs in the transaction in which a job fails for good, to emit its event. `job.error` is set. */
  onFailed?(tx: Transaction<Client>, job: Job): Promise<void>
  /** Maximum number of attempts at a job with retryable failures. Default 1: no retry. */
  maxAttempts?: number
  /** Pauses between attempts. Default 1 s doubling to 5 min. */
  backoff?: Backoff
  log: Log
  metrics?: Metrics
  /** Duration of a lease. Default 15,000 ms. */
  leaseMs?: number
  /** Beginning of the tokens of its leases, which names this process. If it dies, `releaseLeases` ends them early. */
  leaseOwner?: string
  /** Interval of lease renewals. Default: a third of the lease. */
  heartbeatMs?: number
  /**
   * Polling interval while wakes may be missed, because the broker is unavailable. Otherwise a runner looks when the
   * next job is due, and for one whose wake was lost fifteen times as rarely. Default 1,000 ms.
   */
  pollMs?: number
  /** Time handlers have to end when the runner stops, before their jobs are requeued. Default 5,000 ms. */
  graceMs?: number
}

/**
 * Poison-job limit: a job whose runners die without reaching a checkpoint probably kills them. With checkpoints in
 * between the limit is higher, since the cause may still be the job.
 */
const maxLostLeases = { sinceCheckpoint: 3, total: 30 }

/**
 * Polls of a runner without jobs are so much rarer while the broker delivers wakes: by default as rare as a lease is
 * long, so that a job whose process died before the claim waits about as long as one whose process died after it.
 */
const idlePollFactor = 15

/**
 * Creates the worker that runs the jobs of one queue: claims them with a lease, renews the leases, takes over jobs
 * whose lease has expired, and requeues unfinished jobs when it stops. All times are those of the database. Longer than
 * most functions: its steps share the jobs in progress.
 *
 * Claims go to the workspace that was served least recently. When a workspace below its cap has a due job and none is
 * free, its job starts at once and the newest job in a lent slot is interrupted (`preempted`) and requeued.
 */
export function createJobRunner<Client>(options: JobRunnerOptions<Client>): Worker {
  const { database, bus, service, queue, concurrency = 1, handle, resolveCaller, onFailed, log } = options
  const { leaseMs = 15_000, heartbeatMs = leaseMs / 3, pollMs = 1_000, graceMs = 5_000 } = options
  const { maxAttempts = 1, backoff = { firstMs: 1_000, maxMs: 300_000 }, metrics = noMetrics } = options
  const limits = { maxAttempts, maxLostLeases, backoff }
  const attemptOptions = { database, service, handle, resolveCaller, onFailed, log, ...limits }
  const name = `jobs of ${service}, queue ${queue}`
  const { worker } = database
  const jobs = createRunningJobs({
    worker,
    queue,
    slots: concurrency,
    leaseMs,
    log,
    metrics,
    runAttempt: (lease) => runAttempt(attemptOptions, lease, heartbeat.wake),
    onEnded() {
      isWoken = true
      claimLoop.wake()
    },
  })
  const { activeLeases } = jobs
  const onWake = (woken: string) => (wake: () => void) => [
    database.onWake((each) => each === woken && wake()),
    ...(bus === undefined ? [] : [bus.onWake(service, woken, wake)]),
  ]
  const heartbeat = createHeartbeat({
    name,
    worker,
    activeLeases,
    leaseMs,
    intervalMs: heartbeatMs,
    log,
    subscribe: onWake(cancelQueue(queue)),
  })
  let isWoken = false
  const claimLoop = createLoop({
    name,
    pass,
    pollMs,
    log,
    subscribe: (wake) =>
      onWake(queue)(() => {
        isWoken = true
        wake()
      }),
  })
  const reader = createQueueReader({ worker, queue, metrics, log })
  const workers = [claimLoop, heartbeat, reader.worker]

  async function pass(signal: AbortSignal): Promise<PassResult> {
    if (!isWoken) {
      const dueMs = (await reader.findMsUntilDue()) ?? Number.POSITIVE_INFINITY
      if (dueMs > 0) return Math.min(dueMs, idlePauseMs())
    }
    isWoken = false
    return await claim(signal)
  }

  const idlePauseMs = (): number =>
    jitteredMs(bus?.isConnected === true ? idlePollFactor * pollMs : pollMs, Math.random())

  async function claim(signal: AbortSignal): Promise<'more' | 'idle'> {
    if (signal.aborted || !hasCapacity(jobs.slotUse())) return 'idle'
    const waiting = await listWaiting(worker, { queue, limit: maxWaiting(concurrency) })
    const grants = planClaims(jobs.slotUse(), waiting)
    if (signal.aborted || grants.length === 0) return 'idle'
    const claimedAt = performance.now()
    const { leases, isContended } = await claimJobs(worker, { queue, grants, leaseMs, leaseOwner: options.leaseOwner })
    jobs.start(leases, claimedAt)
    return isContended ? 'more' : 'idle'
  }

  return {
    name,
    async start() {
      await Promise.all(workers.map((each) => each.start()))
    },
    async stop() {
      await claimLoop.stop()
      await jobs.stop(graceMs)
      await Promise.all([heartbeat.stop(), reader.worker.stop()])
      bus?.wake(service, queue)
    },
  }
}
