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
