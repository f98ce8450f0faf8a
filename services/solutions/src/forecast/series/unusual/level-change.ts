import { median } from '../../statistics.ts'
import type { HistoryDay } from './closures.ts'

const week = 7
/** Weeks that the last ones are compared with, at least, and days of a week. */
const [fewestWeeks, mostWeeks] = [4, 10]
const fewestDays = 3
/** The least change: by a quarter for two weeks, by half for one; and in units of the weeks' own scatter. */
const leastChange = [Math.log(1.5), Math.log(1.25)]
const leastScatters = 4
const scatterOfMedian = 1.4826

/**
 * Returns the weeks at the end, one or two, whose level is far from the ten weeks before, and their mean change as a
 * share; null if there are none. A forecast lies between the two levels then.
 */
export function findLevelChange(days: readonly HistoryDay[]): { weeks: number; change: number } | null {
  const last = days.at(-1)?.date ?? 0
  const levels = Array.from({ length: mostWeeks + 2 }, (_, back) => {
    const until = last - week * back
    const shares = days.flatMap(({ date, share }) =>
      date > until - week && date <= until && !Number.isNaN(share) ? [share] : [],
    )
    return shares.length < fewestDays ? Number.NaN : Math.log(Math.max(median(shares), 0.01))
  })
  for (const weeks of [2, 1]) {
    const recent = levels.slice(0, weeks)
    const before = levels.slice(weeks).filter((level) => !Number.isNaN(level))
    if (before.length < fewestWeeks || recent.some(Number.isNaN)) continue
    const usual = median(before)
    const scatter = scatterOfMedian * median(before.map((level) => Math.abs(level - usual)))
    const least = Math.max(leastChange[weeks - 1] ?? 0, leastScatters * scatter)
    const changes = recent.map((level) => level - usual)
    if (changes.every((change) => change > least) || changes.every((change) => change < -least))
      return { weeks, change: Math.exp(median(changes)) - 1 }
  }
  return null
}
