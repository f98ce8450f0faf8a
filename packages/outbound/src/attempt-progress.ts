import type { AttemptDetails, ResponseHeaders, Stage, Timings } from './error.ts'

/** Records the progress of an attempt, so that a failure at any point can report it. */
export class Progress {
  readonly #startedAt = performance.now()
  #stageStartedAt = this.#startedAt
  readonly #durations = new Map<Stage, number>()
  stage: Stage | null = null
  address: string | null = null
  status: number | null = null
  headers: ResponseHeaders | null = null

  /** Records the duration of the current stage and enters `stage`. */
  enter(stage: Stage): void {
    const now = performance.now()
    if (this.stage !== null) this.#durations.set(this.stage, now - this.#stageStartedAt)
    this.stage = stage
    this.#stageStartedAt = now
  }

  /** Resets the attempt after a kept-alive connection turned out to be closed. */
  forgetConnection(): void {
    this.#durations.clear()
    this.stage = null
    this.address = null
  }

  timings(): Timings {
    const now = performance.now()
    // Includes the current stage: a handshake that timed out took the whole time.
    const duration = (stage: Stage) =>
      this.stage === stage ? now - this.#stageStartedAt : (this.#durations.get(stage) ?? null)
    return {
      dns_ms: roundMs(duration('dns')),
      connect_ms: roundMs(duration('connect')),
      tls_ms: roundMs(duration('tls')),
      first_byte_ms: roundMs(this.#durations.get('request') ?? null),
      total_ms: roundMs(now - this.#startedAt),
    }
  }

  details(): AttemptDetails {
    const { stage, address, status, headers } = this
    return { stage, address, status, headers, timings: this.timings() }
  }
}

function roundMs(ms: number): number
function roundMs(ms: number | null): number | null
function roundMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100
}
