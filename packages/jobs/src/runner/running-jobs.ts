import type { Database } from '@wp/database'
import { type Log, type Metrics, waitAtMost } from '@wp/runtime'
import { type Lease, requeue } from '../queue/leases.ts'
import { type ActiveLease, activateLease } from './active-lease.ts'
import type { AttemptOutcome } from './run-attempt.ts'

export interface RunningJobs {
  readonly activeLeases: ReadonlySet<ActiveLease>
  /** Number of handlers in progress. */
  readonly size: number
  start(lease: Lease, claimedAt: number): void
  /** Interrupts all handlers, waits at most `graceMs`, and requeues the jobs of those still in progress. */
  stop(graceMs: number): Promise<void>
}

/** Creates the set of jobs that a runner is working on. */
export function createRunningJobs(options: {
  worker: Database['worker']
  queue: string
  leaseMs: number
  runAttempt: (lease: ActiveLease) => Promise<AttemptOutcome>
  onEnded: () => void
  log: Log
  metrics: Metrics
}): RunningJobs {
  const { worker, queue, leaseMs, runAttempt, onEnded, log, metrics } = options
  const activeLeases = new Set<ActiveLease>()
  const running = new Set<Promise<void>>()
  const reportRunning = () => metrics.gauge('jobs_running', running.size, { queue })

  async function run(lease: ActiveLease): Promise<void> {
    const startedAt = performance.now()
    const outcome = await runAttempt(lease)
    metrics.count('jobs_ended_total', { queue, outcome })
    metrics.observe('jobs_seconds', (performance.now() - startedAt) / 1000, { queue })
  }

  return {
    activeLeases,
    get size() {
      return running.size
    },
    start(claimed, claimedAt) {
      const lease = activateLease(claimed, leaseMs, claimedAt)
      activeLeases.add(lease)
      const ended: Promise<void> = run(lease).finally(() => {
        lease.release()
        activeLeases.delete(lease)
        running.delete(ended)
        reportRunning()
        onEnded()
      })
      running.add(ended)
      reportRunning()
    },
    async stop(graceMs) {
      for (const lease of activeLeases) lease.interrupt('shutdown')
      await waitAtMost(graceMs, Promise.all(running))
      // Handlers that continue after this cannot write anything, because their lease is gone.
      const unfinished = [...activeLeases].filter(({ result }) => result === undefined)
      const results = await Promise.allSettled(unfinished.map((lease) => requeue(worker, lease, 0)))
      for (const result of results)
        if (result.status === 'rejected')
          log.warn(
            { event: 'job.not_requeued', err: result.reason, queue },
            'failed to requeue a job; its lease will expire',
          )
    },
  }
}
