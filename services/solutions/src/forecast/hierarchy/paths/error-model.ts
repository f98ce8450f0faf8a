import { median } from '../../statistics.ts'

/** The backtest of one leaf by reconciled forecasts: a row for each fold. An error that says nothing is NaN. */
export interface LeafBacktest {
  predictions: Float64Array[]
  errors: Float64Array[]
  /** The errors of special days, which are NaN in `errors`; those of other days are NaN. */
  specialErrors: Float64Array[]
  /** The mean of its values. */
  size: number
  isNonNegative: boolean
}

/** The errors of a leaf, split in two, by fold. */
export interface LeafErrors {
  /** The mean error of each week, as a share of the forecast; of a signed leaf, the error itself. */
  levels: Float64Array[]
  /** The differences of days from their week, in units of `spreadAt`. */
  days: Float64Array[]
  /** The errors of special days, in the same units; NaN on others. */
  specialDays: Float64Array[]
  spreadAt: (mean: number) => number
}

export const weekDays = 7
/** The spread of a day is this power of its mean: between counts (1/2) and shares (1). */
const spreadPower = 0.75
/** The least mean that a spread is of, and the least week that a share is of, as a share of the size of the leaf. */
const smallest = 0.02
/** Errors of a level beyond these shares are those of a node that opened or closed. */
const maxLevelError = 3
/** The largest error of a day, as a multiple of their median. */
const maxDayError = 10

/** Splits the errors of a leaf in some folds. */
export function splitErrors(
  { predictions, errors, specialErrors, size, isNonNegative }: LeafBacktest,
  folds: number[],
): LeafErrors {
  const spreadAt = (mean: number): number => (isNonNegative ? Math.max(mean, smallest * size, 1e-9) ** spreadPower : 1)
  const levels: Float64Array[] = []
  const days: Float64Array[] = []
  for (const fold of folds) {
    const prediction = predictions[fold] ?? new Float64Array()
    const error = errors[fold] ?? new Float64Array()
    const changed = new Set<number>()
    const weekly = Float64Array.from({ length: Math.ceil(prediction.length / weekDays) }, (_, week) => {
      let sum = 0
      let whole = 0
      for (let day = week * weekDays; day < Math.min(prediction.length, (week + 1) * weekDays); day += 1) {
        if (Number.isNaN(error[day])) continue
        sum += error[day] ?? 0
        whole += isNonNegative ? (prediction[day] ?? 0) : 1
      }
      const least = isNonNegative ? smallest * size * weekDays : 0
      if (isNonNegative && sum > maxLevelError * Math.max(whole, least)) changed.add(week)
      return whole > least ? Math.min(maxLevelError, sum / whole) : Number.NaN
    })
    fillWeeks(weekly, 1)
    levels.push(weekly)
    const daily = error.map((value, day) => {
      const week = Math.floor(day / weekDays)
      // The node opened: in units of the spread of a forecast near 0, such errors are hundreds.
      if (changed.has(week)) return Number.NaN
      const level = (weekly[week] ?? 0) * (isNonNegative ? (prediction[day] ?? 0) : 1)
      return (value - level) / spreadAt(prediction[day] ?? 0)
    })
    fillWeeks(daily, weekDays)
    days.push(daily)
  }
  for (const rows of [levels, days]) fillFolds(rows, errors, folds)
  bound(days)
  centre(days)
  const specialDays = folds.map((fold) =>
    Float64Array.from(specialErrors[fold] ?? [], (error, day) => error / spreadAt(predictions[fold]?.[day] ?? 0)),
  )
  return { levels, days, specialDays, spreadAt }
}

/** Replaces NaN by the nearest value a multiple of the stride away, or 0. */
function fillWeeks(values: Float64Array, stride: number): void {
  const known = values.slice()
  values.forEach((value, index) => {
    if (!Number.isNaN(value)) return
    values[index] = 0
    for (let away = stride; away < values.length; away += stride) {
      const near = [known[index - away], known[index + away]].find(
        (other) => other !== undefined && !Number.isNaN(other),
      )
      if (near === undefined) continue
      values[index] = near
      return
    }
  })
}

/** Replaces the rows of folds without an error by those of the next one that has some: the leaf began after them. */
function fillFolds(rows: Float64Array[], errors: readonly Float64Array[], folds: readonly number[]): void {
  for (let at = folds.length - 2; at >= 0; at -= 1) {
    const hasErrors = errors[folds[at] ?? -1]?.some((error) => !Number.isNaN(error))
    const next = rows[at + 1]
    if (!hasErrors && next !== undefined) rows[at] = next.slice()
  }
}

/** Cuts errors far above the usual one: those of a day of the week that has only begun again, whose forecast was 0. */
function bound(days: Float64Array[]): void {
  const sizes = days.flatMap((row) => Array.from(row, Math.abs)).filter((size) => size > 0)
  const most = maxDayError * median(sizes)
  for (const row of days) for (const [day, value] of row.entries()) row[day] = Math.max(-most, Math.min(most, value))
}

/** Subtracts the mean of each weekday: what is wrong every week is in the levels of no week. */
function centre(days: Float64Array[]): void {
  for (let weekday = 0; weekday < weekDays; weekday += 1) {
    let sum = 0
    let count = 0
    for (const row of days) {
      for (let day = weekday; day < row.length; day += weekDays) {
        sum += row[day] ?? 0
        count += 1
      }
    }
    const mean = sum / Math.max(1, count)
    for (const row of days) for (let day = weekday; day < row.length; day += weekDays) row[day] = (row[day] ?? 0) - mean
  }
}
