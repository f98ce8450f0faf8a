/** Thrown when the request is invalid regardless of its data. */
export class ForecastInputError extends Error {
  override readonly name = 'ForecastInputError'
  readonly code: 'timezone_unknown' | 'holiday_invalid' | 'horizon_invalid'

  constructor(code: ForecastInputError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Nodes that a message names. */
const maxNamed = 10

/** Thrown when a hierarchy is invalid regardless of its values. */
export class HierarchyInputError extends Error {
  override readonly name = 'HierarchyInputError'
}

/** Nodes of a hierarchy have less history than its forecast needs. Counts are in days. */
export class HierarchyTooShortError extends Error {
  override readonly name = 'HierarchyTooShortError'
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
    this.required = required
    this.nodes = nodes
  }
}
