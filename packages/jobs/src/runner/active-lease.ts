import type { Lease } from '../queue/leases.ts'
import { type InterruptionReason, JobInterrupted } from './interruption.ts'

/** Result of an attempt as written to the job. */
export type AttemptResult = 'finished' | 'failed' | 'retried' | 'handed_back'

/** A lease held by this process. */
export interface ActiveLease extends Lease {
  /** Aborted with a JobInterrupted when the handler must end. */
  readonly signal: AbortSignal
  /** Result of the attempt, once it is written. */
  result: AttemptResult | undefined
  interrupt(reason: InterruptionReason): void
  /** Extends the lease to `leaseMs` after `renewedAt` (`performance.now()` before the renewal was requested). */
  renew(leaseMs: number, renewedAt: number): void
  /** Stops the timer. */
  release(): void
}

/**
 * Starts the local timer of a lease. If the lease is not renewed in time, the handler is interrupted: the database,
 * even if it is unreachable from here, lets another runner take the job then.
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
    renew(durationMs, renewedAt) {
      clearTimeout(timer)
      const remainingMs = renewedAt + durationMs - performance.now()
      timer = setTimeout(() => active.interrupt('lease_lost'), Math.max(0, remainingMs))
    },
    release: () => clearTimeout(timer),
  }
  active.renew(leaseMs, claimedAt)
  return active
}
