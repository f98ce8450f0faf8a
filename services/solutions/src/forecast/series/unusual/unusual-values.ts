import { dateOf as dateOfDay } from '../../../workplace/local-days.ts'
import { median, quantile } from '../../statistics.ts'
import { type Calendar, localTimeOf, type Step } from '../../time/calendar.ts'
import { findClosures, historyDays } from './closures.ts'
import { findLevelChanges, findOddDays, type LevelChange } from './level-change.ts'
import { findStuckValues } from './stuck-values.ts'
import { beginOf, silentEnd } from './zero-ends.ts'

/** The steps and values of a series, of the same length; NaN where a step has none. */
interface Values {
  steps: readonly Step[]
  values: Float64Array
}

interface UsualValues {
  /** The values without outliers, and those of closures and of counters that hang. */
  values: Float64Array
  /** The values without outliers. */
  shown: Float64Array
  outliers: number
  /** The number of zeros at the end that may not have been counted. */
  silent: number
  warnings: string[]
}

/** Days since 1970-01-01: those of closures that are known, and those whose effect is known or learned. */
interface KnownDates {
  closed: ReadonlySet<number>
  named: ReadonlySet<number>
  /** Leaves out the odd days of the last week; their values are whole days, and not negative. */
  leavesOutOdd?: boolean
}

/** Leaves out two weeks of zeros or more before the first value: the place was not open yet. */
export function sinceOpening(
  { steps, values }: Values,
  calendar: Calendar,
): { steps: Step[]; values: Float64Array; warnings: string[] } {
  const { frequency } = calendar
  const begin = beginOf(values, frequency)
  const since = steps.slice(begin)
  const text = `Only values from ${localTimeOf(calendar, since[0]?.cell ?? 0)} on were used: the ${begin} ${frequency}s before have no value but 0.`
  return { steps: since, values: values.slice(begin), warnings: begin > 0 ? [text] : [] }
}

/**
 * Leaves out what tells nothing of the days to come: values far above all others, those of counters that hang, and
 * closures that have ended. Each has a warning, as an end that is unlike the time before.
 */
export function leaveOutUnusual(
  { steps, values: measured }: Values,
  calendar: Calendar,
  dates: KnownDates,
): UsualValues {
  const { frequency } = calendar
  const warnings: string[] = []
  const shown = measured.slice()
  const timeOf = (index: number) => localTimeOf(calendar, steps[index]?.cell ?? 0)
  const dateOf = (index: number) => calendar.dateOf(steps[index]?.cell ?? 0) ?? Number.NaN
  const outliers = findOutliers(shown, (index) => calendar.slotOf(steps[index]?.cell ?? 0)).filter(
    (index) => !dates.named.has(dateOf(index)),
  )
  if (outliers.length > 0) warnings.push(describeOutliers(outliers, shown, timeOf))
  for (const index of outliers) shown[index] = Number.NaN

  const stuck = findStuckValues(shown, frequency)
  const counted = shown.slice()
  for (const { from, length } of stuck) counted.fill(Number.NaN, from, from + length)
  warnings.push(
    ...stuck.map(
      ({ from, length, value }) =>
        `The value ${value} repeats for ${length} ${frequency}s from ${timeOf(from)} on, as a counter that hangs would show: they were left out.`,
    ),
  )

  const isKnown = (date: number) => dates.closed.has(date) || dates.named.has(date)
  const unnamed = counted.map((value, index) => (isKnown(dateOf(index)) ? Number.NaN : value))
  const days = historyDays(steps, unnamed, calendar)
  const closures = shown.some((value) => value < 0) ? [] : findClosures(days)
  warnings.push(
    ...closures.map(
      ({ from, to }) =>
        `Almost nothing was counted from ${dateOfDay(from)} to ${dateOfDay(to)}: the forecast does not rest on these days.`,
    ),
  )
  const isClosure = (date: number) => closures.some(({ from, to }) => date >= from && date <= to)
  const odd = dates.leavesOutOdd === true ? findOddDays(days.filter(({ date }) => !isClosure(date))) : []
  for (const date of odd)
    warnings.push(
      `Far fewer than usual were counted on ${dateOfDay(date)}: the forecast does not rest on this day. If it was no exception, expect more such days.`,
    )
  const isLeftOut = (date: number) => isClosure(date) || odd.includes(date)
  const values = counted.map((value, index) => (isLeftOut(dateOf(index)) ? Number.NaN : value))

  const open = values.filter((_, index) => !dates.closed.has(dateOf(index)))
  const silent = silentEnd(open, frequency)
  if (silent > 0)
    warnings.push(
      `The last ${silent} ${frequency}s are 0, longer than ever before. If nothing was counted then, remove their rows and forecast again.`,
    )
  else warnings.push(...describeChanges(findLevelChanges(days.filter(({ date }) => !isClosure(date)))))
  return { values, shown, outliers: outliers.length, silent, warnings }
}

function describeOutliers(
  outliers: readonly number[],
  values: Float64Array,
  timeOf: (index: number) => string,
): string {
  const highest = outliers.reduce((most, index) => ((values[index] ?? 0) > (values[most] ?? 0) ? index : most))
  const named = `${values[highest] ?? 0} at ${timeOf(highest)}`
  return outliers.length === 1
    ? `The value ${named} is far above all others and was left out: correct the file if it is wrong.`
    : `${outliers.length} values far above all others were left out, such as ${named}: correct the file if they are wrong.`
}

const weekdayNames = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays']
const listOf = new Intl.ListFormat('en')

function describeChanges(found: readonly LevelChange[]): string[] {
  if (found.length === 0) return []
  const weeks = found[0]?.weeks === 1 ? 'the last week' : 'the last 2 weeks'
  const changes = found.map(({ change, weekdays }) => {
    const days = weekdays === undefined ? '' : ` on ${listOf.format(weekdays.map((day) => weekdayNames[day] ?? ''))}`
    return `${Math.round(100 * Math.abs(change))} % ${change < 0 ? 'below' : 'above'} those of the weeks before${days}`
  })
  return [
    `The values of ${weeks} are ${changes.join(', and ')}. If the change lasts, expect values like the last ones.`,
  ]
}

/**
 * Values beyond so many times the usual highest one tell nothing of other days: a typing error (a zero too many of a
 * day that is not busy), the error code of a counter, or an event.
 */
const timesUsual = 5
const usualShare = 0.95
/** With fewer values other than 0, or with a larger share of them so high, there is no usual one. */
const fewest = 20
const mostShare = 0.02

/**
 * Returns the indexes of values far above all others; none of a series that often has such values, or ends with several
 * of them: many more people may come from then on. A value that is usual at its time of the week is none either.
 * @param slotOf the time of the week of an index
 */
export function findOutliers(values: Float64Array, slotOf: (index: number) => number): number[] {
  const positive = values.filter((value) => value > 0).sort()
  if (positive.length < fewest) return []
  const bound = timesUsual * quantile(positive, usualShare)
  const indexes = [...values.keys()].filter((index) => (values[index] ?? 0) > bound)
  const isLasting = values
    .filter((value) => value > 0)
    .slice(-2)
    .every((value) => value > bound)
  if (indexes.length === 0 || isLasting) return []
  const bySlot = Map.groupBy(values.keys(), slotOf)
  const isUnusual = (index: number) => {
    const others = (bySlot.get(slotOf(index)) ?? []).filter((other) => other !== index)
    return (values[index] ?? 0) > timesUsual * median(others.map((other) => values[other] ?? 0).filter(Number.isFinite))
  }
  const unusual = indexes.filter(isUnusual)
  return unusual.length > Math.max(1, mostShare * positive.length) ? [] : unusual
}
