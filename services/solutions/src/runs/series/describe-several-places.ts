import type { InputPoint } from '../../forecast/index.ts'

/** The share of moments with different values from which on these are not corrections of single values. */
const maxCorrections = 0.05

/**
 * Returns why the highest value of each step is not that of all places: most moments, or many, have several different
 * values, as those of two buildings. Returns null if they have not.
 */
export function describeSeveralPlaces(points: readonly InputPoint[]): string | null {
  const first = new Map<string, number>()
  const different = new Map<string, string>()
  for (const { ts, value } of points) {
    if (value === null) continue
    const known = first.get(ts)
    if (known === undefined) first.set(ts, value)
    else if (known !== value && !different.has(ts)) different.set(ts, `${known} and ${value} at ${ts}`)
  }
  if (different.size <= maxCorrections * first.size) return null
  const [example] = different.values()
  return (
    `${different.size} of ${first.size} times have several different values, such as ${example}, and the \`aggregation\` ` +
    '`max` would use only the highest: if they are of several places, name the column of the place in `group_by`, or ' +
    'give each place a series of its own; if they are readings of one place, state their times to the minute.'
  )
}
