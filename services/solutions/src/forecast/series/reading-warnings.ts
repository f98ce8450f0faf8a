import type { Aggregation } from '../shapes.ts'
import type { Observations } from './observations.ts'

/** States what became of values that have one timestamp. Of a count, they are what is counted. */
const duplicateUse: Record<Exclude<Aggregation, 'count'>, string> = {
  sum: 'all were added',
  mean: 'all were averaged',
  max: 'the highest of them was used; if they are of several places, make a forecast for each place',
  last: 'the last of them in the input was used',
}

/** Returns warnings about times that cannot be used, and about those that several values have. */
export function readingWarnings(
  unreadable: number,
  { nonexistent, duplicates }: Pick<Observations, 'nonexistent' | 'duplicates'>,
  aggregation: Aggregation,
): string[] {
  const warnings: string[] = []
  if (unreadable > 0) warnings.push(`${unreadable} timestamps could not be read and were left out.`)
  if (nonexistent !== null) {
    const first = new Date(nonexistent.firstWallMs).toISOString().slice(0, 16)
    const times =
      nonexistent.count === 1 ? '1 local time does not exist' : `${nonexistent.count} local times do not exist`
    const left = nonexistent.count === 1 ? 'was left out' : 'were left out'
    warnings.push(`${times} (the clock skips ${first} in spring) and ${left}.`)
  }
  if (duplicates > 0 && aggregation !== 'count')
    warnings.push(`${duplicates} values have the timestamp of another one; ${duplicateUse[aggregation]}.`)
  return warnings
}
