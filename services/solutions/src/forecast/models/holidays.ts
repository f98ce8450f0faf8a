import { median } from '../statistics.ts'
import type { History, Model } from './model.ts'

/**
 * Adds holidays to a model. It is fitted to a history in which past holidays are replaced by usual values. On future
 * holidays its forecast is replaced by the mean of past holidays at that hour, or, without any, by the quietest
 * weekday. `dates`: days since 1970-01-01.
 */
export function withHolidays(model: Model, dates: ReadonlySet<number>): Model {
  if (dates.size === 0) return model
  return {
    ...model,
    predict: (history, cells) => {
      const usual = withoutHolidays(history, dates)
      const forecast = model.predict(usual, cells)
      const next = history.first + history.values.length
      const likeHoliday = holidayProfile(history, usual, dates)
      return forecast.map((value, ahead) =>
        isHoliday(history, next + ahead, dates) ? likeHoliday(next + ahead) : value,
      )
    },
  }
}

function isHoliday({ calendar }: History, cell: number, dates: ReadonlySet<number>): boolean {
  const date = calendar.dateOf(cell)
  return date !== null && dates.has(date)
}

/**
 * Returns the history with each holiday replaced by the median of the eight weeks around it; these are not observed.
 */
export function withoutHolidays(history: History, dates: ReadonlySet<number>): History {
  const { values, first, calendar } = history
  const observed = history.observed?.slice() ?? new Uint8Array(values.length).fill(1)
  const usual = values.map((value, index) => {
    if (!isHoliday(history, first + index, dates)) return value
    observed[index] = 0
    const around: number[] = []
    for (let weeks = -4; weeks <= 4; weeks += 1) {
      const other = index + weeks * calendar.season
      const candidate = values[other]
      if (candidate !== undefined && !isHoliday(history, first + other, dates)) around.push(candidate)
    }
    return around.length > 0 ? median(around) : value
  })
  return { ...history, values: usual, observed }
}

function holidayProfile(history: History, usual: History, dates: ReadonlySet<number>): (cell: number) => number {
  const { values, first, calendar } = history
  const sums = new Float64Array(calendar.day)
  const counts = new Float64Array(calendar.day)
  values.forEach((value, index) => {
    if (!isHoliday(history, first + index, dates)) return
    const hour = calendar.slotOf(first + index) % calendar.day
    sums[hour] = (sums[hour] ?? 0) + value
    counts[hour] = (counts[hour] ?? 0) + 1
  })
  const quiet = quietestWeekday(usual)
  return (cell) => {
    const hour = calendar.slotOf(cell) % calendar.day
    const count = counts[hour] ?? 0
    return count > 0 ? (sums[hour] ?? 0) / count : (quiet[hour] ?? 0)
  }
}

/** Returns the hourly medians of the weekday with the lowest total over the last four weeks. */
function quietestWeekday({ values, first, calendar }: History): number[] {
  const { season, day, slotOf } = calendar
  const seen = Array.from({ length: season }, (): number[] => [])
  for (let index = Math.max(0, values.length - 4 * season); index < values.length; index += 1) {
    seen[slotOf(first + index)]?.push(values[index] ?? 0)
  }
  const weekdays = Array.from({ length: season / day }, (_, weekday) =>
    seen.slice(weekday * day, (weekday + 1) * day).map(median),
  )
  const total = (profile: number[]): number => profile.reduce((sum, value) => sum + value, 0)
  return weekdays.reduce((quietest, weekday) => (total(weekday) < total(quietest) ? weekday : quietest))
}
