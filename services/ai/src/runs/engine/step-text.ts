import { runLimits } from './limits.ts'
import type { RunSession } from './run-session.ts'

/** A citation marker, `[1]` or `[1, 2]`, with the space before it. */
const markers = / ?\[(\d{1,4}(?:\s?,\s?\d{1,4}){0,19})\]/g
/** The end of a text that may be the beginning of a marker: it is held back until the text goes on. */
const beginningOfMarker = /(?: ?\[[\d,\s]{0,120}| )$/

/** Removes the citation markers of a streamed text that have no source. A marker may be split at any place. */
export class MarkerFilter {
  readonly #hasSource: (index: number) => boolean
  readonly #cited = new Set<number>()
  #held = ''

  constructor(hasSource: (index: number) => boolean) {
    this.#hasSource = hasSource
  }

  /** The numbers of the markers that have been kept, in order. */
  get cited(): number[] {
    return [...this.#cited].sort((first, second) => first - second)
  }

  /** Returns the part of the text that is complete. */
  push(text: string): string {
    const all = this.#held + text
    const end = all.search(beginningOfMarker)
    this.#held = end === -1 ? '' : all.slice(end)
    return this.#filter(end === -1 ? all : all.slice(0, end))
  }

  /** Returns the rest of the text. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    return this.#filter(rest)
  }

  #filter(text: string): string {
    return text.replace(markers, (marker, list: string) => {
      const numbers = list.split(',').map(Number)
      const kept = numbers.filter(this.#hasSource)
      for (const index of kept) this.#cited.add(index)
      if (kept.length === numbers.length) return marker
      return kept.length === 0 ? '' : `${marker.startsWith(' ') ? ' ' : ''}[${kept.join(', ')}]`
    })
  }
}

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
