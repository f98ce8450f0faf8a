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
