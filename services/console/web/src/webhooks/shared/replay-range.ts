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
  `${new Intl.NumberFormat('en').format(count)}${is_lower_bound ? ' or more' : ''}`

const pad = (value: number): string => String(value).padStart(2, '0')

/** Converts a time of the API to the value of an `<input type="datetime-local">`, in the zone of the reader. */
export function toLocalInput(time: string | undefined): string | undefined {
  const at = new Date(time ?? Number.NaN)
  if (Number.isNaN(at.getTime())) return undefined
  const date = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${date}T${pad(at.getHours())}:${pad(at.getMinutes())}`
}

/**
 * Converts the value of an `<input type="datetime-local">` to a time of the API. @returns undefined if it is no time
 */
export function fromLocalInput(text: string | undefined): string | undefined {
  const at = new Date(text ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
