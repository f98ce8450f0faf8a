import { runLimits } from './limits.ts'
import { MarkerFilter } from './marker-filter.ts'
import type { RunSession } from './run-session.ts'

/** The text of one model call while it is written. */
export class StepText {
  readonly #session: RunSession
  readonly #step: number
  readonly #hasSource: (index: number) => boolean
  #filter: MarkerFilter
  #restarts = 0
  #hasBegun = false
  #isOpen = false
  #unwritten = 0
  written = ''
  length = 0
  totalLength = 0

  constructor(session: RunSession, step: number) {
    const records = session.markers.records
    this.#session = session
    this.#step = step
    this.#hasSource = (index) => index >= 1 && index <= records.length
    this.#filter = new MarkerFilter(this.#hasSource)
  }

  get isTooLong(): boolean {
    return this.#session.state.outputLength + this.length > runLimits.outputLength
  }

  async push(delta: string): Promise<void> {
    this.length += delta.length
    this.addOther(delta.length)
    this.#write(this.#filter.push(delta))
    await this.#session.events.drain()
  }

  /** Counts output that is not shown. */
  addOther(length: number): void {
    this.totalLength += length
    this.#unwritten += length
    this.begin()
  }

  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#session.signals.setHasOutput(true)
    this.#session.events.push({ type: 'start-step' })
  }

  end(): void {
    this.begin()
    this.#write(this.#filter.end())
    if (this.#isOpen) this.#session.events.push({ type: 'text-end', id: this.#id })
  }

  /** Ends what was written as a step of its own, so that it is no part of the answer. */
  restart(): void {
    this.end()
    this.#session.events.push({ type: 'finish-step' })
    this.#session.events.push({ type: 'start-step' })
    this.#filter = new MarkerFilter(this.#hasSource)
    this.#isOpen = false
    this.#restarts += 1
    this.written = ''
  }

  /** Writes the records that the text cites. */
  pushCitations(): void {
    const records = this.#session.markers.records
    for (const index of this.#filter.cited) {
      const record = records[index - 1]
      if (record !== undefined)
        this.#session.events.push({ type: 'data-citation', id: `citation-${index}`, data: record })
    }
  }

  get #id(): string {
    return this.#restarts === 0 ? `text-${this.#step}` : `text-${this.#step}-${this.#restarts}`
  }

  #write(delta: string): void {
    if (delta === '') return
    if (!this.#isOpen) this.#session.events.push({ type: 'text-start', id: this.#id })
    this.#isOpen = true
    this.written += delta
    this.#session.events.push({ type: 'text-delta', id: this.#id, delta }, this.#unwritten)
    this.#unwritten = 0
  }
}
