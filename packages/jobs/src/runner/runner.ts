import type { Caller } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import type { Bus } from '@wp/events'
import { type Backoff, createLoop, type Log, type Metrics, noMetrics, type Worker, waitAtMost } from '@wp/runtime'
import { cancelQueue, type Job } from '../queue/job.ts'
import { claimJobs, requeue } from '../queue/leases.ts'
import { type ActiveLease, activateLease } from './active-lease.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { JobControl } from './job-control.ts'
import { runAttempt } from './run-attempt.ts'
import { createWaitingGauge } from './waiting-gauge.ts'

export interface JobRunnerOptions<Client> {
  database: Database<Client>
  /** The alarm clock across replicas; without it, and while it is away, the poll finds what is due. */
  bus?: Pick<Bus, 'wake' | 'onWake'>
  service: string
  queue: string
  /** Jobs under way at once in this process. Default 1. */
  concurrency?: number
  /**
   * Does one job. It ends by `control.finish` or `control.fail`; one that returns without either is finished with no
   * result; one that throws fails (a JobFailure or a Problem says why, anything else is `internal_error`).
   */
  handle: (job: Job, control: JobControl<Client>) => Promise<void>
  /** What the stored caller may do now; null: nothing, and the job fails with `caller_revoked`. */
  resolveCaller?: (caller: Caller) => Promise<Caller | null>
  /** Runs in the transaction that fails a job for good, whatever the reason: for its event. `job.error` is set. */
  onFailed?: (tx: Transaction<Client>, job: Job) => Promise<void>
  /** Attempts at a job that fails retryably. Default 1: no retry. */
  maxAttempts?: number
  /** Pauses between attempts. Default 1 s doubling to 5 min. */
  backoff?: Backoff
  log: Log
  metrics?: Metrics
  /** Default 15,000. */
  leaseMs?: number
  /** Default 5,000. */
  heartbeatMs?: number
  /** The net under the wakes, and the grain of `runAt`. Default 1,000. */
  pollMs?: number
  /** How long handlers have to end when the runner stops, before their jobs are handed back. Default 5,000. */
  graceMs?: number
}

/**
 * A job whose runners die before it comes further is what kills them. One that goes on each time is put up with for
 * longer, but not for ever: it may be what kills them all the same, a little later.
 */
const maxLostLeases = { sinceCheckpoint: 3, total: 30 }

/**
 * Works off one queue: claims by lease, renews while it works, takes over what others lost, hands back when stopped.
 * PostgreSQL is the truth and the timer.
 */
export function createJobRunner<Client>(options: JobRunnerOptions<Client>): Worker {
  const { database, bus, service, queue, concurrency = 1, handle, resolveCaller, onFailed, log } = options
  const { leaseMs = 15_000, heartbeatMs = 5_000, pollMs = 1_000, graceMs = 5_000 } = options
  const { maxAttempts = 1, backoff = { firstMs: 1_000, maxMs: 300_000 }, metrics = noMetrics } = options
  const attemptOptions = {
    database,
    service,
    handle,
    resolveCaller,
    onFailed,
    maxAttempts,
    maxLostLeases,
    backoff,
    log,
  }
  const name = `jobs of ${service}, queue ${queue}`
  const activeLeases = new Set<ActiveLease>()
  const running = new Set<Promise<void>>()
  const { worker } = database
  const heartbeat = createHeartbeat({
    name: `leases of ${name}`,
    worker,
    activeLeases,
    leaseMs,
    everyMs: heartbeatMs,
    log,
  })
  const claimLoop = createLoop({ name, pass: claim, pollMs, log })
  const waiting = createWaitingGauge({ worker, queue, metrics, log })
  let unsubscribes: (() => void)[] = []

  async function claim(signal: AbortSignal): Promise<'idle'> {
    const limit = concurrency - running.size
    if (limit <= 0 || signal.aborted) return 'idle'
    const claimedAt = performance.now()
    for (const lease of await claimJobs(worker, { queue, limit, leaseMs }))
      startJob(activateLease(lease, leaseMs, claimedAt))
    return 'idle'
  }

  function startJob(lease: ActiveLease): void {
    activeLeases.add(lease)
    const ended: Promise<void> = run(lease).finally(() => {
      lease.release()
      activeLeases.delete(lease)
      running.delete(ended)
      metrics.gauge('jobs_running', running.size, { queue })
      claimLoop.wake()
    })
    running.add(ended)
    metrics.gauge('jobs_running', running.size, { queue })
  }

  async function run(lease: ActiveLease): Promise<void> {
    const startedAt = performance.now()
    const outcome = await runAttempt(attemptOptions, lease, heartbeat.wake)
    metrics.count('jobs_ended_total', { queue, outcome })
    metrics.observe('jobs_seconds', (performance.now() - startedAt) / 1000, { queue })
  }

  async function stop(): Promise<void> {
    for (const end of unsubscribes) end()
    await claimLoop.stop()
    for (const lease of activeLeases) lease.interrupt('shutdown')
    await waitAtMost(graceMs, Promise.all(running))
    // Whose handler goes on nevertheless changes nothing any more.
    const unfinished = [...activeLeases].filter(({ result }) => result === undefined)
    const results = await Promise.allSettled(unfinished.map((lease) => requeue(worker, lease, 0)))
    for (const result of results)
      if (result.status === 'rejected')
        log.warn({ err: result.reason, queue }, 'a job could not be handed back; its lease will run out')
    await Promise.all([heartbeat.stop(), waiting.stop()])
    bus?.wake(service, queue)
  }

  return {
    name,
    async start() {
      const onWake = (woken: string) => {
        if (woken === queue) claimLoop.wake()
        if (woken === cancelQueue(queue)) heartbeat.wake()
      }
      unsubscribes = [database.onWake(onWake)]
      if (bus !== undefined)
        unsubscribes.push(
          bus.onWake(service, queue, claimLoop.wake),
          bus.onWake(service, cancelQueue(queue), heartbeat.wake),
        )
      await Promise.all([claimLoop.start(), heartbeat.start(), waiting.start()])
    },
    stop,
  }
}
