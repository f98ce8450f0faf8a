import { type Peak, peakOf } from './chart-data.ts'
import { improvementOver } from './forecast-words.ts'
import { groupKeyOf, groupName } from './groups.ts'
import { capacityOf, type ForecastRunDetail, type ForecastSeries, keyFieldsOf, runInput } from './run-input.ts'

/** A group in the comparison. */
export interface Group {
  key: string
  name: string
  series: ForecastSeries
  peak: Peak | null
  improvement: number | null
}

/** Returns the groups of a run, the one nearest to its capacity first; without capacities, the highest peak first. */
export function rankGroups(run: ForecastRunDetail): Group[] {
  const input = runInput(run)
  const groups = run.series.map((series): Group => {
    const { key, accuracy } = series
    return {
      key: groupKeyOf(key, keyFieldsOf(input)),
      name: groupName(key),
      series,
      peak: peakOf(series, capacityOf(input, key)),
      improvement: accuracy === null ? null : improvementOver(accuracy, accuracy.baseline),
    }
  })
  return groups.toSorted(
    ({ peak: left }, { peak: right }) =>
      (right?.share ?? -1) - (left?.share ?? -1) || (right?.value ?? -1) - (left?.value ?? -1),
  )
}
