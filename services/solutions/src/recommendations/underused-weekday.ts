import { calendarOf, stepAt } from '../forecast/calendar.ts'
import { readHolidays } from '../forecast/checks.ts'
import type { ForecastInput, ForecastOutput, ForecastSeries, InputSeries, SeriesKey } from '../forecast/index.ts'
import { type RegularSeries, regularise } from '../forecast/regularise.ts'
import { median } from '../forecast/statistics.ts'

export interface RecommendInput {
  /** What was forecast from. */
  input: ForecastInput
  /** What `forecast` made of it. */
  output: ForecastOutput
  /** The share of capacity, or of the usual peak, below which a weekday counts as underused. Default 0.4. */
  threshold?: number
}

export interface Recommendation {
  kind: 'underused_weekday'
  key: SeriesKey
  title: string
  /** Plain English, with the figures. */
  rationale: string
  figures: {
    weekday: string
    /** The highest forecast value on the days considered. */
    peak_forecast: number
    /** The median peak of this weekday over the last eight weeks. */
    peak_before: number
    /** The yardstick: `capacity` where given, else the median of the last eight weekly peaks. */
    capacity?: number
    peak_usual?: number
    /** `peak_forecast` over the yardstick. */
    share: number
    threshold: number
    /** Whole days of this weekday in the forecast, holidays aside. */
    days_considered: number
  }
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const weeksBack = 8

/**
 * Weekdays on which a building stays under a share of its capacity (or, without one, of its usual peak): in the
 * forecast, and usually over the last weeks too, so that one holiday or outage recommends nothing. Days with nobody at
 * all, before and to come, are taken to be closed already. Weekly forecasts have no weekdays and give none.
 */
export function recommend({ input, output, threshold = 0.4 }: RecommendInput): Recommendation[] {
  if (input.frequency === 'week') return []
  return output.series.flatMap((forecast, index) => {
    const series = input.series[index]
    return series && forecast.model ? recommendFor(series, forecast, input, threshold) : []
  })
}

function recommendFor(
  series: InputSeries,
  forecast: ForecastSeries,
  input: ForecastInput,
  threshold: number,
): Recommendation[] {
  const holidays = readHolidays(input.holidays)
  const regular = regularise(series, input)
  const before = peaksByDay(historyCells(regular), input, holidays)
  const coming = peaksByDay(forecastCells(forecast, regular), input, holidays)
  const usual = median(weeklyPeaks(before))
  const yardstick = input.capacity ?? usual
  return weekdays.flatMap((weekday, number) => {
    const days = coming.filter((day) => day.weekday === number)
    const peakForecast = Math.max(...days.map(({ peak }) => peak))
    const past = before.filter((day) => day.weekday === number).slice(-weeksBack)
    const peakBefore = median(past.map(({ peak }) => peak))
    if (days.length === 0 || yardstick <= 0 || (peakForecast <= 0 && peakBefore <= 0)) return []
    if (peakForecast >= threshold * yardstick || peakBefore >= threshold * yardstick) return []
    const figures = {
      weekday: weekday.toLowerCase(),
      peak_forecast: peakForecast,
      peak_before: peakBefore,
      ...(input.capacity === undefined ? { peak_usual: usual } : { capacity: input.capacity }),
      share: peakForecast / yardstick,
      threshold,
      days_considered: days.length,
    }
    return [describe(series.key, weekday, figures, past.length, input)]
  })
}

function describe(
  key: SeriesKey,
  weekday: string,
  figures: Recommendation['figures'],
  pastDays: number,
  { frequency }: ForecastInput,
): Recommendation {
  const name = Object.values(key).join(', ') || 'The building'
  const what = frequency === 'hour' ? 'The busiest hour' : 'The total'
  const yardstick =
    figures.capacity === undefined
      ? `its usual peak of ${figure(figures.peak_usual ?? 0)}`
      : `its capacity of ${figure(figures.capacity)}`
  const days =
    figures.days_considered === 1 ? `the coming ${weekday}` : `the ${figures.days_considered} coming ${weekday}s`
  return {
    kind: 'underused_weekday',
    key,
    title: `${name} is underused on ${weekday}s`,
    rationale:
      `${what} on ${days} is forecast at ${figure(figures.peak_forecast)}, ${percent(figures.share)} of ${yardstick} ` +
      `and under the threshold of ${percent(figures.threshold)}. Over the last ${pastDays} ${weekday}s it was ` +
      `${figure(figures.peak_before)} as a rule. Opening fewer floors on ${weekday}s would lose little.`,
    figures,
  }
}

interface Cell {
  cell: number
  value: number
}

function historyCells({ grid }: RegularSeries): Cell[] {
  return Array.from(grid.values, (value, index) => ({ cell: grid.first + index, value }))
}

function forecastCells({ points }: ForecastSeries, { calendar, zone }: RegularSeries): Cell[] {
  return points.map(({ ts, mean }) => ({ cell: stepAt(calendar, zone, Date.parse(ts)).cell, value: mean }))
}

interface DayPeak {
  date: number
  weekday: number
  peak: number
}

/** The highest value of each day that is there from its first to its last hour and is no holiday. */
function peaksByDay(cells: Cell[], { frequency }: ForecastInput, holidays: ReadonlySet<number>): DayPeak[] {
  const { day, slotOf, dateOf } = calendarOf(frequency)
  const days = new Map<number, { begins: boolean; ends: boolean; weekday: number; peak: number }>()
  for (const { cell, value } of cells) {
    const slot = slotOf(cell)
    const date = dateOf(cell)
    if (date === null || holidays.has(date)) continue
    const known = days.get(date) ?? { begins: false, ends: false, weekday: Math.floor(slot / day), peak: value }
    if (slot % day === 0) known.begins = true
    if (slot % day === day - 1) known.ends = true
    known.peak = Math.max(known.peak, value)
    days.set(date, known)
  }
  return [...days].flatMap(([date, { begins, ends, weekday, peak }]) =>
    begins && ends ? [{ date, weekday, peak }] : [],
  )
}

/** The peaks of the last eight stretches of seven days. */
function weeklyPeaks(days: DayPeak[]): number[] {
  const last = days.at(-1)?.date ?? 0
  const peaks = new Map<number, number>()
  for (const { date, peak } of days) {
    const weeksAgo = Math.floor((last - date) / 7)
    if (weeksAgo < weeksBack) peaks.set(weeksAgo, Math.max(peaks.get(weeksAgo) ?? peak, peak))
  }
  return [...peaks.values()]
}

function figure(value: number): string {
  return value >= 10 ? Math.round(value).toString() : (Math.round(value * 10) / 10).toString()
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
