/** The periods that times are grouped by, in UTC or in the time zone of the field. */
export const timeBuckets = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type TimeBucket = (typeof timeBuckets)[number]

const timePattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}))?/

/**
 * Returns the period of a time in ISO 8601, by its own digits: `2026-03-05T09:30` is in `2026-03-05`, `2026-03` and
 * `2026-Q1`. A week is named by its Monday. Undefined for anything else.
 */
export function bucketOf(value: unknown, bucket: TimeBucket): string | undefined {
  const [, year = '', month = '', day = '', hour = '00'] = timePattern.exec(String(value)) ?? []
  if (year === '') return undefined
  if (bucket === 'year') return year
  if (bucket === 'quarter') return `${year}-Q${Math.ceil(Number(month) / 3)}`
  if (bucket === 'month') return `${year}-${month}`
  if (bucket === 'week') return mondayOf(`${year}-${month}-${day}`)
  return bucket === 'day' ? `${year}-${month}-${day}` : `${year}-${month}-${day}T${hour}`
}

function mondayOf(day: string): string | undefined {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return undefined
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}
