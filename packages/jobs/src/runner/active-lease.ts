import type { Database } from '@wp/database'
import { createLoop, type Log, type Loop, type LoopOptions } from '@wp/runtime'
import { type Lease, renewLeases } from '../queue/leases.ts'

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

/** Reason why a handler must end early. `preempted`: its slot was lent and is needed by another workspace. */
export type InterruptionReason = 'cancelled' | 'lease_lost' | 'shutdown' | 'preempted'
/** Abort reason of `control.signal`. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted'
  readonly reason: InterruptionReason

  constructor(reason: InterruptionReason) {
    super(`the job was interrupted: ${reason}`)
    this.reason = reason
  }
}

/** Returns the reason for which the handler was interrupted; undefined if it was not. */
export function interruptionReason(signal: AbortSignal): InterruptionReason | undefined {
  // ActiveLease aborts only with a JobInterrupted.
  return signal.aborted ? (signal.reason as JobInterrupted).reason : undefined
}

/** Creates the loop that renews all leases of a runner in one statement and interrupts handlers whose lease is gone. */
export function createHeartbeat(options: {
  /** Name of the runner. */
  name: string
  worker: Database['worker']
  activeLeases: ReadonlySet<ActiveLease>
  leaseMs: number
  intervalMs: number
  /** See `LoopOptions`. */
  subscribe: LoopOptions['subscribe']
  log: Log
}): Loop {
  const { name, worker, activeLeases, leaseMs, intervalMs, subscribe, log } = options

  async function pass(): Promise<'idle'> {
    const leases = [...activeLeases].filter(({ result }) => result === undefined)
    if (leases.length === 0) return 'idle'
    const renewedAt = performance.now()
    const statuses = await renewLeases(worker, leases, leaseMs)
    for (const lease of leases) {
      const status = statuses.get(lease)
      if (status === 'renewed') lease.renew(leaseMs, renewedAt)
      if (status === 'cancelled') lease.interrupt('cancelled')
      if (status === 'lost' && lease.result === undefined) lease.interrupt('lease_lost')
    }
    return 'idle'
  }

  const backoff = { firstMs: 100, maxMs: intervalMs }
  return createLoop({ name: `leases of ${name}`, pass, pollMs: intervalMs, backoff, subscribe, log })
}
