import type { Database } from '@wp/database'
import { type Log, type Metrics, waitAtMost } from '@wp/runtime'
import { handBack, type Lease } from '../queue/leases.ts'
import { type ActiveLease, activateLease, interruptionReason } from './active-lease.ts'
import { choosePreempted, type SlotUse } from './fair-shares.ts'
import type { AttemptOutcome } from './run-attempt.ts'

export interface RunningJobs {
  readonly activeLeases: ReadonlySet<ActiveLease>
  slotUse(): SlotUse
  /** Starts claimed jobs. If there are more jobs than slots then, preempts the newest jobs in lent slots. */
  start(leases: readonly Lease[], claimedAt: number): void
  /** Interrupts all handlers, waits at most `graceMs`, and requeues the jobs of those still in progress. */
  stop(graceMs: number): Promise<void>
}

/**
 * Creates the set of jobs that a runner is working on. Longer than most functions: its steps share the slots.
 */
export function createRunningJobs(options: {
  worker: Database['worker']
  queue: string
  /** Maximum number of jobs in progress, without preempted ones. */
  slots: number
  leaseMs: number
  runAttempt: (lease: ActiveLease) => Promise<AttemptOutcome>
  onEnded: () => void
  log: Log
  metrics: Metrics
}): RunningJobs {
  const { worker, queue, slots, leaseMs, runAttempt, onEnded, log, metrics } = options
  const activeLeases = new Set<ActiveLease>()
  const running = new Set<Promise<void>>()
  const reportRunning = () => metrics.gauge('jobs_running', running.size, { queue })

  /** Of first attempts only, which the database has claimed and started at the same time, by its clock. */
  function observeStart({ job: { startedAt, updatedAt, runAt } }: Lease): void {
    if (startedAt === null || startedAt.getTime() !== updatedAt.getTime()) return
    metrics.observe('jobs_start_delay_seconds', Math.max(0, startedAt.getTime() - runAt.getTime()) / 1000, { queue })
  }

  async function run(lease: ActiveLease): Promise<void> {
    const startedAt = performance.now()
    const outcome = await runAttempt(lease)
    metrics.count('jobs_ended_total', { queue, outcome })
    metrics.observe('jobs_seconds', (performance.now() - startedAt) / 1000, { queue })
  }

  /** A preempted handler that has not ended keeps its lease but not its slot. */
  const isEnding = ({ signal }: ActiveLease) => interruptionReason(signal) === 'preempted'

  function start(claimed: Lease, claimedAt: number): void {
    const lease = activateLease(claimed, leaseMs, claimedAt)
    observeStart(claimed)
    activeLeases.add(lease)
    const ended: Promise<void> = run(lease).finally(() => {
      lease.release()
      activeLeases.delete(lease)
      running.delete(ended)
      reportRunning()
      onEnded()
    })
    running.add(ended)
  }

  function preemptExcess(): void {
    const active = [...activeLeases].filter((lease) => !isEnding(lease))
    const preempted = choosePreempted({
      slots,
      running: active.map((lease) => ({ workspaceId: lease.job.workspaceId, lease })),
    })
    for (const { lease } of preempted) {
      lease.interrupt('preempted')
      metrics.count('jobs_preempted_total', { queue })
    }
  }

  return {
    activeLeases,
    slotUse() {
      const active = [...activeLeases].filter((lease) => !isEnding(lease))
      return { slots, running: active.map(({ job }) => job), ending: activeLeases.size - active.length }
    },
    start(leases, claimedAt) {
      for (const lease of leases) start(lease, claimedAt)
      preemptExcess()
      reportRunning()
    },
    async stop(graceMs) {
      for (const lease of activeLeases) lease.interrupt('shutdown')
      await waitAtMost(graceMs, Promise.all(running))
      // Handlers that continue after this cannot write anything, because their lease is gone.
      const unfinished = [...activeLeases].filter(({ result }) => result === undefined)
      const results = await Promise.allSettled(unfinished.map((lease) => handBack(worker, lease)))
      for (const result of results)
        if (result.status === 'rejected')
          log.warn(
            { event: 'job.not_requeued', err: result.reason, queue },
            'failed to requeue a job; its lease will expire',
          )
    },
  }
}
