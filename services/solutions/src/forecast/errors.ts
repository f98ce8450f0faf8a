import type { Frequency, SeriesKey } from './shapes.ts'

/** Thrown when the request is invalid regardless of its data. */
export class ForecastInputError extends Error {
  readonly code: 'timezone_unknown' | 'holiday_invalid' | 'horizon_invalid'

  constructor(code: ForecastInputError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ForecastInputError'
    this.code = code
  }
}

/** Nodes that a message names. */
const maxNamed = 10

/** A series has less history than a forecast of this frequency and horizon needs. Counts are in steps. */
export class SeriesTooShortError extends Error {
  readonly code = 'series_too_short'
  readonly key: SeriesKey
  readonly required: number
  readonly available: number

  constructor(key: SeriesKey, frequency: Frequency, required: number, available: number) {
    super(`The series needs at least ${required} ${frequency}s of history and has ${available}.`)
    this.name = 'SeriesTooShortError'
    this.key = key
    this.required = required
    this.available = available
  }
}

/** Thrown when a hierarchy is invalid regardless of its values. */
export class HierarchyInputError extends Error {
  readonly code = 'hierarchy_invalid'

  constructor(message: string) {
    super(message)
    this.name = 'HierarchyInputError'
  }
}

/** Nodes of a hierarchy have less history than its forecast needs. Counts are in days. */
export class HierarchyTooShortError extends Error {
  readonly code = 'series_too_short'
  readonly required: number
  readonly nodes: readonly { id: string; available: number }[]

  constructor(required: number, nodes: readonly { id: string; available: number }[]) {
    const named = nodes.slice(0, maxNamed).map(({ id, available }) => `${id} (${available})`)
    const others = nodes.length > maxNamed ? ` and ${nodes.length - maxNamed} others` : ''
    super(
      `Each node needs at least ${required} days of history, half of them with values. Too short: ${named.join(', ')}${others}. ` +
        'Leave such a node out: its parent, if it has values of its own, still contains it.',
    )
    this.name = 'HierarchyTooShortError'
    this.required = required
    this.nodes = nodes
  }
}
