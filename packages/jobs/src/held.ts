import { type InterruptionReason, JobInterrupted } from './interruption.ts'
import type { Lease } from './leases.ts'

/** What was written about a job at the end of an attempt. */
export type Settlement = 'finished' | 'failed' | 'retried' | 'handed_back'

/** A lease in the hands of this process. */
export interface Held extends Lease {
  /** Aborted when the work must end, with a JobInterrupted. */
  readonly signal: AbortSignal
  /** How the job goes on, once that is written: nothing is left to do for it. */
  settled: Settlement | undefined
  interrupt(reason: InterruptionReason): void
  /** The lease holds for so long from then on. */
  extend(leaseMs: number, from: number): void
  /** Nothing more will happen to it. */
  release(): void
}

/**
 * Holds a lease. Not renewed in time, by this process's own count from before the renewal was asked for, it counts as
 * lost: the database, should it be the one that is away, has then given or will give the job to another.
 */
export function hold(lease: Lease, leaseMs: number, claimedAt: number): Held {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const held: Held = {
    ...lease,
    signal: controller.signal,
    settled: undefined,
    interrupt(reason) {
      if (!controller.signal.aborted) controller.abort(new JobInterrupted(reason))
    },
    extend(forMs, from) {
      clearTimeout(timer)
      timer = setTimeout(() => held.interrupt('lease_lost'), Math.max(0, from + forMs - performance.now()))
    },
    release: () => clearTimeout(timer),
  }
  held.extend(leaseMs, claimedAt)
  return held
}
