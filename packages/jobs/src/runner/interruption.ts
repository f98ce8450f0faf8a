/** Why a job's work must end. */
export type InterruptionReason = 'cancelled' | 'lease_lost' | 'shutdown'

/** The reason of an aborted `control.signal`. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted'
  readonly reason: InterruptionReason

  constructor(reason: InterruptionReason) {
    super(`the job was interrupted: ${reason}`)
    this.reason = reason
  }
}
