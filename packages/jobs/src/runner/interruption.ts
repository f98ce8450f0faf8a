/** Reason why a handler must end early. */
export type InterruptionReason = 'cancelled' | 'lease_lost' | 'shutdown'

/** Abort reason of `control.signal`. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted'
  readonly reason: InterruptionReason

  constructor(reason: InterruptionReason) {
    super(`the job was interrupted: ${reason}`)
    this.reason = reason
  }
}
