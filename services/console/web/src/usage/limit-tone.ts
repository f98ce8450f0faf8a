const warningPercent = 80
const dangerPercent = 100

/** Returns how the use of a limit is shown: a warning near it, danger when it is reached. */
export function limitTone(current: number, limit: number): 'accent' | 'warning' | 'danger' {
  if (limit === 0) return current > 0 ? 'danger' : 'accent'
  const percent = (100 * current) / limit
  if (percent >= dangerPercent) return 'danger'
  return percent >= warningPercent ? 'warning' : 'accent'
}
