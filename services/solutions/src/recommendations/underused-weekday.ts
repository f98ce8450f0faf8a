import { parseHolidays } from '../forecast/checks.ts'
import { regularize } from '../forecast/series/regularize.ts'
import type { ForecastInput, ForecastOutput, ForecastSeries, InputSeries, SeriesKey } from '../forecast/shapes.ts'
import { median } from '../forecast/statistics.ts'
import { forecastCells, historyCells, peaksByDay, weeklyPeaks } from './day-peaks.ts'

interface RecommendInput {
  input: ForecastInput
  output: ForecastOutput
  /** The share of capacity, or of the usual peak, below which a weekday counts as underused. Default 0.4. */
  threshold?: number
}

export interface Recommendation {
  kind: 'underused_weekday'
  key: SeriesKey
  title: string
  /** English text with the figures. */
  rationale: string
  figures: {
    weekday: string
    /** The highest forecast value on the days considered. */
    peak_forecast: number
    /** The median peak of this weekday over the last eight weeks. */
    peak_before: number
    /** The reference: `capacity` if given, otherwise the median of the last eight weekly peaks. */
    capacity?: number
    peak_usual?: number
    /** `peak_forecast` divided by the reference. */
    share: number
    threshold: number
    /** Complete days of this weekday in the forecast, without holidays. */
    days_considered: number
  }
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const weeksBack = 8

/**
 * Recommends weekdays on which a building stays below a share of its capacity (or, without one, of its usual peak), both in
 * the forecast and in the median of the last weeks, so that a single holiday or outage has no effect. Days without any
 * occupancy are considered closed. Weekly forecasts have no weekdays and give no recommendations.
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
  const holidays = parseHolidays(input.holidays)
  const regular = regularize({ key: series.key, points: recentPoints(series, forecast) }, input)
  const before = peaksByDay(historyCells(regular), regular, holidays)
  const coming = peaksByDay(forecastCells(forecast, regular), regular, holidays)
  const usual = median(weeklyPeaks(before, weeksBack))
  const reference = series.capacity ?? usual
  return weekdays.flatMap((weekday, number) => {
    const days = coming.filter((day) => day.weekday === number)
    const peakForecast = Math.max(...days.map(({ peak }) => peak))
    const past = before.filter((day) => day.weekday === number).slice(-weeksBack)
    const peakBefore = median(past.map(({ peak }) => peak))
    if (days.length === 0 || past.length === 0 || reference <= 0 || (peakForecast <= 0 && peakBefore <= 0)) return []
    if (peakForecast >= threshold * reference || peakBefore >= threshold * reference) return []
    const figures = {
      weekday: weekday.toLowerCase(),
      peak_forecast: peakForecast,
      peak_before: peakBefore,
      ...(series.capacity === undefined ? { peak_usual: usual } : { capacity: series.capacity }),
      share: peakForecast / reference,
      threshold,
      days_considered: days.length,
    }
    return [describe(series.key, weekday, figures, past.length, input)]
  })
}

/** Returns about ten weeks of points. ISO dates sort as text, so no parsing is needed. */
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
      `typically ${figure(figures.peak_before)}. Consider opening fewer floors on ${weekday}s.`,
    figures,
  }
}

function figure(value: number): string {
  return value >= 10 ? Math.round(value).toString() : (Math.round(value * 10) / 10).toString()
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
