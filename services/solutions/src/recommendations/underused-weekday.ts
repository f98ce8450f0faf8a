import { readHolidays } from '../forecast/checks.ts'
import { regularise } from '../forecast/regularise.ts'
import type { ForecastInput, ForecastOutput, ForecastSeries, InputSeries, SeriesKey } from '../forecast/shapes.ts'
import { median } from '../forecast/statistics.ts'
import { forecastCells, historyCells, peaksByDay, weeklyPeaks } from './day-peaks.ts'

interface RecommendInput {
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
  const regular = regularise({ key: series.key, points: recentPoints(series, forecast) }, input)
  const before = peaksByDay(historyCells(regular), regular, holidays)
  const coming = peaksByDay(forecastCells(forecast, regular), regular, holidays)
  const usual = median(weeklyPeaks(before, weeksBack))
  const yardstick = input.capacity ?? usual
  return weekdays.flatMap((weekday, number) => {
    const days = coming.filter((day) => day.weekday === number)
    const peakForecast = Math.max(...days.map(({ peak }) => peak))
    const past = before.filter((day) => day.weekday === number).slice(-weeksBack)
    const peakBefore = median(past.map(({ peak }) => peak))
    if (days.length === 0 || past.length === 0 || yardstick <= 0 || (peakForecast <= 0 && peakBefore <= 0)) return []
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

/** Ten weeks and a margin. ISO dates sort as text, so that years of points cost next to nothing. */
function recentPoints({ points }: InputSeries, forecast: ForecastSeries): InputSeries['points'] {
  const start = Date.parse(forecast.points[0]?.ts ?? '') - 72 * 86_400_000
  const date = new Date(start).toISOString().slice(0, 10)
  return points.filter(({ ts }) => ts >= date)
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

function figure(value: number): string {
  return value >= 10 ? Math.round(value).toString() : (Math.round(value * 10) / 10).toString()
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
