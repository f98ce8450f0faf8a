import { median } from '../../statistics.ts'
import type { Calendar, Step } from '../../time/calendar.ts'

/** Below this share of its weekday's usual value a day is of a closure; from this one on the place is open again. */
const closedShare = 0.25
const openShare = 0.5
/** Open days of a closure, and of the time around it, at least. */
const leastDays = 5
const leastDaysSince = 2
/** Of more, none of the history is usual. Those that return more often are a part of what is usual. */
const mostOfHistory = 0.4
const mostEachYear = 4
/** With more single days so low, as of a few people, several in a row may be chance. */
const mostLowDays = 0.1

/** A local day of the history: the sum of its values, and that as a share of its weekday's usual sum. */
export interface HistoryDay {
  date: number
  /** Monday is 0. */
  weekday: number
  /** NaN for a day without values, and a weekday on which next to nothing is usual. */
  share: number
  /** The median of its weekday. */
  usual: number
}

/** Compares the days of a history with the median of their weekday; none for weeks. Values are not negative. */
export function historyDays(steps: readonly Step[], values: Float64Array, calendar: Calendar): HistoryDay[] {
  const sums = new Map<number, { weekday: number; sum: number }>()
  steps.forEach(({ cell }, index) => {
    const [date, value] = [calendar.dateOf(cell), values[index] ?? Number.NaN]
    if (date === null || Number.isNaN(value)) return
    const weekday = Math.floor(calendar.slotOf(cell) / calendar.day)
    sums.set(date, { weekday, sum: (sums.get(date)?.sum ?? 0) + value })
  })
  const usual = new Map(
    [...Map.groupBy(sums.values(), ({ weekday }) => weekday)].map(([weekday, days]) => [
      weekday,
      median(days.map(({ sum }) => sum)),
    ]),
  )
  const highest = Math.max(0, ...usual.values())
  return [...sums].map(([date, { weekday, sum }]) => {
    const own = usual.get(weekday) ?? 0
    return { date, weekday, usual: own, share: own > closedShare * highest ? sum / own : Number.NaN }
  })
}

/**
 * Returns the first and last dates of closures that have ended: a week or more with next to nothing on each day,
 * between usual days. What came then tells nothing of the days to come.
 */
export function findClosures(days: readonly HistoryDay[]): { from: number; to: number }[] {
  const open = days.filter(({ share }) => !Number.isNaN(share))
  const closures: { from: number; to: number; days: number }[] = []
  for (let start = 0; start < open.length; start += 1) {
    let end = start
    while ((open[end]?.share ?? 1) < closedShare) end += 1
    const [from, to] = [open[start], open[end - 1]]
    if (end - start >= leastDays && from && to) {
      const [before, since] = [open.slice(Math.max(0, start - leastDays), start), open.slice(end, end + leastDays)]
      if (before.length === leastDays && since.length >= leastDaysSince && isOpen(before) && isOpen(since))
        closures.push({ from: from.date, to: to.date, days: end - start })
    }
    start = Math.max(start, end)
  }
  const closed = closures.reduce((sum, closure) => sum + closure.days, 0)
  const low = open.filter(({ share }) => share < closedShare).length - closed
  const years = Math.max(1, ((days.at(-1)?.date ?? 0) - (days[0]?.date ?? 0)) / 365)
  const isUnusual =
    closed <= mostOfHistory * open.length &&
    low <= mostLowDays * (open.length - closed) &&
    closures.length <= mostEachYear * years
  return isUnusual ? closures.map(({ from, to }) => ({ from, to })) : []
}

const isOpen = (days: readonly HistoryDay[]): boolean => median(days.map(({ share }) => share)) >= openShare
