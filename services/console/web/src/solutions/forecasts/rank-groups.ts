import { type Peak, peakOf } from './chart-data.ts'
import { improvementOver } from './forecast-words.ts'
import { groupName, workplaceId } from './groups.ts'
import { capacityOf, type ForecastRunDetail, type ForecastSeries, runInput, seriesKeyOf } from './run-input.ts'

/** A group in the comparison. */
export interface Group {
  key: string
  name: string
  series: ForecastSeries
  /** How full the group can be; undefined if that is not stated. */
  capacity: number | undefined
  peak: Peak | null
  improvement: number | null
}

/**
 * Returns the groups of a run: those of the workplace as a tree, others with the one nearest to its capacity first, or
 * without capacities the highest peak.
 * @param spaceCapacities people who can be in a space at a moment, by its id
 */
export function rankGroups(run: ForecastRunDetail, spaceCapacities: ReadonlyMap<string, number> = new Map()): Group[] {
  const input = runInput(run)
  const groups = run.series.map((series): Group => {
    const { key, accuracy } = series
    const capacity = capacityOf(input, key) ?? spaceCapacities.get(workplaceId(key) ?? '')
    return {
      key: seriesKeyOf(input, key),
      name: groupName(key),
      series,
      capacity,
      peak: peakOf(series, capacity),
      improvement: accuracy === null ? null : improvementOver(accuracy, accuracy.baseline),
    }
  })
  if (input.workplace !== undefined) return groups.toSorted(byPath)
  return groups.toSorted(
    ({ peak: left }, { peak: right }) =>
      (right?.share ?? -1) - (left?.share ?? -1) || (right?.value ?? -1) - (left?.value ?? -1),
  )
}

/** The name of a space has those of the spaces around it, which so come before it. */
const byPath = ({ name: left }: Group, { name: right }: Group): number =>
  left.localeCompare(right, 'en', { numeric: true })

/** Returns the groups that no other one of the workplace is around. */
export const outermost = (groups: readonly Group[]): Group[] =>
  groups.filter(({ name }) => !groups.some((other) => name.startsWith(`${other.name} / `)))
