import { type DateOrder, dateOrders, dayNumber, ordersOf } from './date-order.ts'
import { createMonthNames, monthKey } from './month-names.ts'
import { isOnWeekday } from './plain-timestamp.ts'
import { type DateStyle, scanTimestamp } from './scan-timestamp.ts'

/** Counts of the ways in which the times of a column are written. */
export interface TimestampEvidence {
  styles: Map<string, StyleEvidence>
  /** Made for the first date whose month has a name. */
  monthNames?: ReturnType<typeof createMonthNames>
}

/** The dates of one layout. */
export interface StyleEvidence {
  style: DateStyle
  /** Dates in at least one order. */
  count: number
  orders: Record<DateOrder, OrderEvidence>
  /** Formats of the time, with their counts; the empty text for a date alone. */
  timeFormats: Map<string, number>
  hasUnpadded: boolean
  examples: string[]
  /** True if a date is another day in another order, unlike `01/01/2024`. */
  differs: boolean
  /** Changes of the time within the column. */
  timeChanges: number
  lastMinutes: number
}

/** The dates of a layout, read in one order. */
export interface OrderEvidence {
  /** Texts that are no date in this order, but in another. */
  invalid: number
  /** Number of rows that have another date than the row before. */
  changes: number
  /** Number of rows that have an earlier date than the row before. */
  decreases: number
  /** Days between different dates of consecutive rows. */
  minGap: number
  maxGap: number
  last: number | undefined
  /** Dates before the year 1501. */
  ancient: number
  /** True while all dates are the first of a month. */
  isFirstOfMonths: boolean
}

/** Further layouts of a column are not examined. */
const maxStyles = 12
const maxTimeFormats = 20
const maxExamples = 3

export const createTimestampEvidence = (): TimestampEvidence => ({ styles: new Map() })

/** Adds a text to the evidence. Returns false if it is not a timestamp in any order. */
export function addTimestamp(column: TimestampEvidence, text: string): boolean {
  const scanned = scanTimestamp(text)
  if (scanned === undefined || !hasKnownMonth(column, scanned)) return false
  const { styles } = column
  const { style, numbers, timeFormat, minutes, isUnpadded, weekdays } = scanned
  const days = ordersOf(style).map((order) => {
    const day = dayNumber(style, numbers, order)
    return { order, day: day === undefined || !fitsWeekday(style, day, weekdays) ? undefined : day }
  })
  if (days.every(({ day }) => day === undefined)) return false
  const key = `${style.layout} ${style.separators.join(' ')}`
  const evidence = styles.get(key) ?? createStyle(style)
  if (!styles.has(key)) {
    if (styles.size >= maxStyles) return false
    styles.set(key, evidence)
  }
  evidence.count++
  evidence.differs ||= days.some(({ day }) => day !== days[0]?.day)
  for (const { order, day } of days) addDay(evidence.orders[order], day)
  if (evidence.timeFormats.size < maxTimeFormats || evidence.timeFormats.has(timeFormat))
    evidence.timeFormats.set(timeFormat, (evidence.timeFormats.get(timeFormat) ?? 0) + 1)
  evidence.hasUnpadded ||= isUnpadded
  if (evidence.examples.length < maxExamples && !evidence.examples.includes(text)) evidence.examples.push(text)
  if (minutes !== evidence.lastMinutes) evidence.timeChanges++
  evidence.lastMinutes = minutes
  return true
}

/** Names of a language that is not read are no evidence: some are known, of another month of another language. */
function hasKnownMonth(column: TimestampEvidence, { month }: { month?: string | undefined }): boolean {
  if (month === undefined) return true
  column.monthNames ??= createMonthNames()
  return column.monthNames.has(monthKey(month))
}

/** The number of a month that has a name is not known here; the reader checks such dates. */
const fitsWeekday = ({ layout }: DateStyle, day: number, weekdays: readonly number[] | undefined): boolean =>
  layout === 'named' || layout === 'namedShortYear' || layout === 'monthFirst' || isOnWeekday(day, weekdays)

/** 1 January 1501: years before are of another calendar, such as the Islamic or the Persian. */
const dayMs = 86_400_000
const firstDay = Date.UTC(1501, 0, 1) / dayMs

function createStyle(style: DateStyle): StyleEvidence {
  const order = (): OrderEvidence => ({
    invalid: 0,
    changes: 0,
    decreases: 0,
    minGap: Number.POSITIVE_INFINITY,
    maxGap: 0,
    last: undefined,
    ancient: 0,
    isFirstOfMonths: true,
  })
  return {
    style,
    count: 0,
    timeFormats: new Map(),
    hasUnpadded: false,
    examples: [],
    differs: false,
    timeChanges: 0,
    lastMinutes: -1,
    orders: { [dateOrders[0]]: order(), [dateOrders[1]]: order(), [dateOrders[2]]: order() },
  }
}

function addDay(evidence: OrderEvidence, day: number | undefined): void {
  if (day === undefined) {
    evidence.invalid++
    return
  }
  if (day < firstDay) evidence.ancient++
  evidence.isFirstOfMonths &&= new Date(day * dayMs).getUTCDate() === 1
  const gap = evidence.last === undefined ? 0 : day - evidence.last
  evidence.last = day
  if (gap === 0) return
  evidence.changes++
  if (gap < 0) evidence.decreases++
  evidence.minGap = Math.min(evidence.minGap, Math.abs(gap))
  evidence.maxGap = Math.max(evidence.maxGap, Math.abs(gap))
}
