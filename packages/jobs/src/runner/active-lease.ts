import type { Lease } from '../queue/leases.ts'
import { type InterruptionReason, JobInterrupted } from './interruption.ts'

/** What was written about a job at the end of an attempt. */
export type AttemptResult = 'finished' | 'failed' | 'retried' | 'handed_back'

/** A lease in the hands of this process. */
export interface ActiveLease extends Lease {
  /** Aborted when the work must end, with a JobInterrupted. */
  readonly signal: AbortSignal
  /** How the job goes on, once that is written: nothing is left to do for it. */
  result: AttemptResult | undefined
  interrupt(reason: InterruptionReason): void
  /** The lease holds for so long from then on. */
  renew(leaseMs: number, renewedAt: number): void
  /** Nothing more will happen to it. */
  release(): void
}

/**
 * Holds a lease. Not renewed in time, by this process's own count from before the renewal was asked for, it counts as
 * lost: the database, should it be the one that is away, has then given or will give the job to another.
 */
export function activateLease(lease: Lease, leaseMs: number, claimedAt: number): ActiveLease {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const active: ActiveLease = {
    ...lease,
    signal: controller.signal,
    result: undefined,
    interrupt(reason) {
      if (!controller.signal.aborted) controller.abort(new JobInterrupted(reason))
    },
    renew(forMs, from) {
      clearTimeout(timer)
      timer = setTimeout(() => active.interrupt('lease_lost'), Math.max(0, from + forMs - performance.now()))
    },
    release: () => clearTimeout(timer),
  }
  active.renew(leaseMs, claimedAt)
  return active
}
