import { formatNumber } from '../../ui/format/format.ts'

const hourMs = 3_600_000

/** Ready-made ranges of a replay, up to now. */
export const replayPresets = [
  { value: '1h', label: 'Last hour', ms: hourMs },
  { value: '24h', label: 'Last 24 hours', ms: 24 * hourMs },
  { value: '7d', label: 'Last 7 days', ms: 7 * 24 * hourMs },
  { value: '30d', label: 'Last 30 days', ms: 30 * 24 * hourMs },
] as const

export interface BoundedCount {
  count: number
  is_lower_bound: boolean
}

/** Adds counts up; a sum of which one part is a lower bound is one too. */
export const addCounts = (counts: readonly BoundedCount[]): BoundedCount => ({
  count: counts.reduce((sum, { count }) => sum + count, 0),
  is_lower_bound: counts.some(({ is_lower_bound }) => is_lower_bound),
})

/** Formats a count: `1,204`, or `10,000 or more`. */
export const formatBounded = ({ count, is_lower_bound }: BoundedCount): string =>
  `${formatNumber(count)}${is_lower_bound ? ' or more' : ''}`
