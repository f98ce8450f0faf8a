import type { ForecastInput, ForecastOutput, ForecastSeries, SeriesProfile } from '../shapes.ts'

/** A run in the threads: which series wait, which are finished. */
export class RunProgress {
  readonly #input: ForecastInput
  readonly #series: ForecastSeries[] = []
  readonly #profiles: (SeriesProfile | null)[] = []
  readonly #parts: Float64Array
  #next = 0
  #finished = 0

  constructor(input: ForecastInput) {
    this.#input = input
    this.#parts = new Float64Array(input.series.length)
  }

  get hasWaiting(): boolean {
    return this.#next < this.#input.series.length
  }

  get isFinished(): boolean {
    return this.#finished === this.#input.series.length
  }

  /** Returns the position of the next series, and the input with it alone. */
  take(): { index: number; input: ForecastInput } {
    const index = this.#next
    this.#next += 1
    return { index, input: { ...this.#input, series: this.#input.series.slice(index, index + 1) } }
  }

  /** Notes how far a series is. @returns the progress of the run, 0 to 1 */
  advance(index: number, fraction: number): number {
    this.#parts[index] = fraction
    return this.#parts.reduce((sum, part) => sum + part, 0) / this.#parts.length
  }

  finish(index: number, { series: [series], profiles: [profile] }: ForecastOutput): void {
    if (series === undefined) throw new Error('a forecast thread returned no series')
    this.#series[index] = series
    this.#profiles[index] = profile ?? null
    this.#finished += 1
  }

  get output(): ForecastOutput {
    return { series: this.#series, profiles: this.#profiles }
  }
}
