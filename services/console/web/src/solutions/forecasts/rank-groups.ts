import { type Peak, peakOf } from './chart-data.ts'
import { improvementOver } from './forecast-words.ts'
import { groupName, workplaceId } from './groups.ts'
import { capacityOf, type ForecastRunDetail, type ForecastSeries, runInput, seriesKeyOf } from './run-input.ts'

/** A group in the comparison. */
export interface Group {
  key: string
  name: string
  series: ForecastSeries
  /** The capacity of the group; undefined if that is not stated. */
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
  if (input.workplace !== undefined) return withShortNames(groups.toSorted(byPath))
  return groups.toSorted(fullestFirst)
}

/** Orders by the share of the capacity in whole percents, then by the peak. */
export const fullestFirst = ({ peak: left }: Group, { peak: right }: Group): number =>
  percentOf(right) - percentOf(left) || (right?.value ?? -1) - (left?.value ?? -1)

const percentOf = (peak: Peak | null): number => Math.round(100 * (peak?.share ?? -1))

/** The name of a space has those of the spaces around it, which so come before it. */
const byPath = ({ name: left }: Group, { name: right }: Group): number =>
  left.localeCompare(right, 'en', { numeric: true })

const separator = ' / '

/** Leaves out what is around the only outermost group: its building has the names of its site in all groups. */
function withShortNames(groups: Group[]): Group[] {
  const [root, ...others] = outermost(groups)
  if (root === undefined || others.length > 0) return groups
  const around = root.name.lastIndexOf(separator)
  return around < 0 ? groups : groups.map((group) => ({ ...group, name: group.name.slice(around + separator.length) }))
}

/** Returns the groups that no other one of the workplace is around. */
export const outermost = (groups: readonly Group[]): Group[] =>
  groups.filter(({ name }) => !groups.some((other) => name.startsWith(other.name + separator)))
