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
/** The least change of a weekday, whose values scatter more, and the weekdays that are no chance. */
const leastDayChange = Math.log(1.5)
/** A single day is an exception below half of the fewest of its weekday. Of fewer people, that is chance. */
const [mostOddShare, fewestPeople] = [0.5, 5]
const fewestWeekdays = 2

/** A change as a share of the usual value. */
export interface LevelChange {
  /** One or two, at the end of the history. */
  weeks: number
  /** Monday is 0; missing if all days have changed. */
  weekdays?: number[]
  change: number
}

/**
 * Returns how the last weeks, one or two, differ from the ten before: in their level, or in that of some weekdays, as
 * with new days at the office. None if they do not. A forecast does not follow them at once.
 */
export function findLevelChanges(days: readonly HistoryDay[]): LevelChange[] {
  const weeks = weeksOf(days)
  const levels = weeks.map((one) =>
    one.length < fewestDays ? Number.NaN : logOf(median(one.map(({ share }) => share))),
  )
  for (const count of [2, 1]) {
    const change = changeOf(levels, count, leastChange[count - 1] ?? 0)
    if (change !== null) return [{ weeks: count, change }]
  }
  const changes = Array.from({ length: week }, (_, weekday) => {
    const own = weeks.map((one) => logOf(one.find((day) => day.weekday === weekday)?.share ?? Number.NaN))
    return { weekday, change: changeOf(own, 2, leastDayChange) }
  }).flatMap(({ weekday, change }) => (change === null ? [] : [{ weekday, change }]))
  if (changes.length < fewestWeekdays) return []
  return [changes.filter(({ change }) => change < 0), changes.filter(({ change }) => change > 0)].flatMap((alike) =>
    alike.length === 0
      ? []
      : [
          {
            weeks: 2,
            weekdays: alike.map(({ weekday }) => weekday),
            change: median(alike.map(({ change }) => change)),
          },
        ],
  )
}

/**
 * Returns the dates of the last week on which far fewer came than ever on their weekday, as in a strike or on a bridge
 * day. None if these are most of its days: the level may have changed.
 */
export function findOddDays(days: readonly HistoryDay[]): number[] {
  const weeks = weeksOf(days)
  const last = weeks[0] ?? []
  const odd = last.filter(({ weekday, share, usual }) => {
    const before = weeks.slice(1).flatMap((one) => one.find((day) => day.weekday === weekday)?.share ?? [])
    const fewest = Math.min(...before)
    return before.length >= fewestWeeks && share < mostOddShare * fewest && usual * fewest >= fewestPeople
  })
  return 2 * odd.length < last.length ? odd.map(({ date }) => date) : []
}

/** Returns the days of the last weeks, from the last one on. */
function weeksOf(days: readonly HistoryDay[]): HistoryDay[][] {
  const last = days.at(-1)?.date ?? 0
  return Array.from({ length: mostWeeks + 2 }, (_, back) => {
    const until = last - week * back
    return days.filter(({ date, share }) => date > until - week && date <= until && !Number.isNaN(share))
  })
}

const logOf = (share: number): number => Math.log(Math.max(share, 0.01))

/** Returns the change of the first levels, as a share; null unless all of them are far from the others. */
function changeOf(levels: readonly number[], count: number, least: number): number | null {
  const recent = levels.slice(0, count)
  const before = levels.slice(count).filter((level) => !Number.isNaN(level))
  if (before.length < fewestWeeks || recent.some(Number.isNaN)) return null
  const usual = median(before)
  const scatter = scatterOfMedian * median(before.map((level) => Math.abs(level - usual)))
  const bound = Math.max(least, leastScatters * scatter)
  const changes = recent.map((level) => level - usual)
  const isFar = changes.every((change) => change > bound) || changes.every((change) => change < -bound)
  return isFar ? Math.exp(median(changes)) - 1 : null
}
