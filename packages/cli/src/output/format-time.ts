const units: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Formats a time relative to now, such as `3 minutes ago` or `in 2 days`. @param iso RFC 3339 */
export function formatRelativeTime(iso: string, now: number): string {
  const seconds = Math.trunc((Date.parse(iso) - now) / 1000)
  const [unit, length] = units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / length), unit)
}
