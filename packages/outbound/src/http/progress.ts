import type { AttemptDetails, ResponseHeaders, Stage, Timings } from '../error.ts'

/** What an attempt writes down as it goes, so that a failure at any point can say what was known. */
export class Progress {
  readonly #startedAt = performance.now()
  #stageStartedAt = this.#startedAt
  readonly #durations = new Map<Stage, number>()
  stage: Stage | null = null
  address: string | null = null
  status: number | null = null
  headers: ResponseHeaders | null = null

  /** Ends the stage before, keeping how long it took, and begins `stage`. */
  enter(stage: Stage): void {
    const now = performance.now()
    if (this.stage !== null) this.#durations.set(this.stage, now - this.#stageStartedAt)
    this.stage = stage
    this.#stageStartedAt = now
  }

  /** Forgets a kept-alive connection that turned out to be closed: the attempt begins anew. */
  forgetConnection(): void {
    this.#durations.clear()
    this.stage = null
    this.address = null
  }

  timings(): Timings {
    const now = performance.now()
    // The stage under way counts too: a handshake that timed out took as long as it was given.
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
