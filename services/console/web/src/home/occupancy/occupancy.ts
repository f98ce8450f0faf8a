import { localDate } from '../../ui/date/local-time.ts'
import { formatPercent } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'

/** A site whose days are drawn: the share of its places that people took, as counted or as expected. */
export interface SiteDays {
  id: string
  name: string
  /** By local date. Null where the figure is withheld. */
  counted: ReadonlyMap<string, number | null>
  expected: ReadonlyMap<string, number>
  /** The mean share of places taken in the opening hours from Monday to Friday; null where it is not known. */
  mean: number | null
}

/** A day of the chart. */
export interface ChartDay {
  date: string
  isExpected: boolean
  /** True for a day that only breaks the lines: whatever was counted on it is not drawn. */
  isGap?: true
}

interface CountedRow {
  start?: string | undefined
  share: number | null
  attendance: number | null
  capacity: number | null
}

/** Returns the people of each day as a share of the places, by date. Rows of a site without a capacity are left out. */
export const countedShares = (rows: readonly CountedRow[]): Map<string, number | null> =>
  new Map(
    rows.flatMap(({ start, attendance, capacity }) =>
      start === undefined || capacity === null || capacity === 0
        ? []
        : [[start, attendance === null ? null : attendance / capacity] as const],
    ),
  )

/** Returns the expected share of places by date. @param points times and means of a forecast by day */
export function expectedShares(
  points: readonly { ts: string; mean: number }[],
  capacity: number | undefined,
  timeZone: string,
): Map<string, number> {
  if (!capacity) return new Map()
  return new Map(points.map(({ ts, mean }) => [localDate(new Date(ts), timeZone), mean / capacity] as const))
}

const isWeekend = (date: string): boolean => [0, 6].includes(new Date(date).getUTCDay())

/** At the weekend, fewer are the guards and those who left something. */
const minWeekendShare = 0.02

/**
 * Returns every day from the first to the last. A weekend on which all sites are empty is one day without a value, so
 * that no line is drawn across it.
 */
export function chartDays(sites: readonly SiteDays[]): ChartDay[] {
  const days = new Map<string, ChartDay>()
  for (const { counted, expected } of sites) {
    for (const [date, share] of expected)
      if (!isWeekend(date) || share > minWeekendShare) days.set(date, { date, isExpected: true })
    for (const [date, share] of counted)
      if (!isWeekend(date) || (share ?? 0) > minWeekendShare) days.set(date, { date, isExpected: false })
  }
  const sorted = [...days.values()].sort((left, right) => (left.date < right.date ? -1 : 1))
  return sorted.flatMap((day, at) => {
    const before = sorted[at - 1]
    const next = before && dayAfter(before.date)
    return next !== undefined && next < day.date ? [{ ...day, date: next, isGap: true as const }, day] : [day]
  })
}

/** Returns true if a figure of any day is known. */
export const hasFigures = (sites: readonly SiteDays[]): boolean =>
  sites.some(({ counted, expected }) => [...counted.values(), ...expected.values()].some((share) => share !== null))

/** Returns true if the figure of a day from Monday to Friday is withheld. */
export const hasWithheldDays = (sites: readonly SiteDays[]): boolean =>
  sites.some(({ counted }) => [...counted].some(([date, share]) => share === null && !isWeekend(date)))

const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)

/** Returns the mean share of places taken from Monday to Friday, as the list of buildings has it. */
export function meanShare(rows: readonly CountedRow[]): number | null {
  const shares = rows.flatMap(({ start, share }) => (share === null || !start || isWeekend(start) ? [] : [share]))
  return shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** The fullest day of all sites. */
export interface Peak {
  name: string
  date: string
  share: number
  isExpected: boolean
  /** The last of the days of which it is the fullest. */
  last: string
}

/** Returns the first and the last day that was counted, also if withheld; undefined if none was. */
export function countedRange(sites: readonly SiteDays[]): { first: string; last: string } | undefined {
  const days = sites.flatMap(({ counted }) => [...counted.keys()]).toSorted()
  const [first, last] = [days[0], days.at(-1)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

/**
 * Describes how full each site was on average, with its period once where all have the same; empty if none is known.
 */
export function describeMeans(sites: readonly SiteDays[], formatDay: (date: string) => string): string {
  const means = sites.flatMap((site) => {
    const range = countedRange([site])
    if (site.mean === null || range === undefined) return []
    const period = `from ${formatDay(range.first)} to ${formatDay(range.last)}`
    return [{ mean: `${isolate(site.name)} ${formatPercent(site.mean)}`, period }]
  })
  const [period, ...others] = new Set(means.map((one) => one.period))
  if (period === undefined) return ''
  const list = means.map((one) => (others.length === 0 ? one.mean : `${one.mean} ${one.period}`)).join(', ')
  return `Full on average in the opening hours, Monday to Friday${others.length === 0 ? `, ${period}` : ''}: ${list}.`
}

/**
 * Returns the fullest day that is expected from today on, or the fullest of those counted if none is.
 * @param today local date
 */
export function peakOf(sites: readonly SiteDays[], today: string): Peak | undefined {
  const days = (isExpected: boolean) =>
    sites.flatMap(({ name, counted, expected }) =>
      [...(isExpected ? expected : counted)].map(([date, share]) => ({ name, date, share: share ?? 0, isExpected })),
    )
  const expected = days(true).filter(({ date }) => date >= today)
  const among = expected.length > 0 ? expected : days(false)
  const last =
    among
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? ''
  const [fullest] = among.toSorted((left, right) => right.share - left.share)
  return fullest && { ...fullest, last }
}
