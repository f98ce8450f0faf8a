import { daysAfterMonday } from '../../../workplace/local-days.ts'
import type { SpecialDays } from './special-days.ts'

/** A covariate by day. A day without a value has NaN. */
export interface KnownColumn {
  first: number
  values: Float64Array
}

/** Rows of a sparse matrix: row i has the elements from `starts[i]` to below `starts[i + 1]`. */
export interface SparseRows {
  starts: Uint32Array
  columns: Uint16Array
  values: Float64Array
}

/** Features of a day, in columns with a prior scale each: the standard deviation of the effect before any data. */
export interface Features {
  scales: number[]
  /** Returns the rows of some days from `first` on. */
  rowsOf: (first: number, days: number) => SparseRows
}

interface FeatureOptions {
  /** The first day of the history, and the first one after it. */
  from: number
  end: number
  special: SpecialDays
  hasYearlySeason: boolean
  covariate: KnownColumn | null
}

const quarter = 91
const year = 365.25
const harmonics = 3
/** The share of a trend that each further day keeps. */
const trendDamping = 0.9
/** The trend of a quarter, and its changes, as logarithms. */
const slopeScale = 0.1
const weekdayScale = 3
const seasonScale = 0.3
/** A holiday can empty a building; one holiday differs less from another one. */
const specialScales: Record<string, number> = { holiday: 3, bridge: 0.8, year_end: 0.8 }
const namedScale = 0.7
const covariateScale = 0.5

/** Returns the features of a level with a piecewise linear trend, weekdays, seasons, special days and a covariate. */
export function featuresOf({ from, end, special, hasYearlySeason, covariate }: FeatureOptions): Features {
  const scales = [10, ...Array.from({ length: 7 }, () => weekdayScale)]
  const add = (scale: number): number => scales.push(scale) - 1
  // The last change of the trend is a quarter ago: a later one rests on too little.
  const knots: number[] = []
  for (let knot = end - quarter; knot > from + quarter / 2; knot -= quarter) knots.push(knot)
  const trends = [from, ...knots].map((knot) => ({ knot, column: add(slopeScale) }))
  const seasons = Array.from({ length: hasYearlySeason ? harmonics : 0 }, () => [add(seasonScale), add(seasonScale)])
  const named = new Map<string, number>()
  for (const name of [...special].flatMap(([day, names]) => (day >= from && day < end ? names : [])))
    if (!named.has(name)) named.set(name, add(specialScales[name] ?? namedScale))
  const standardize = covariate === null ? null : standardizer(covariate, from, end)
  const covariateColumn = standardize === null ? -1 : add(covariateScale)

  const addRow = (day: number, set: (column: number, value: number) => void): void => {
    set(0, 1)
    set(1 + daysAfterMonday(day), 1)
    const time = day < end ? day : end - 1 + dampedDays(day - end + 1)
    for (const { knot, column } of trends) if (time > knot) set(column, (time - knot) / quarter)
    seasons.forEach(([sine = 0, cosine = 0], index) => {
      const angle = (2 * Math.PI * (index + 1) * day) / year
      set(sine, Math.sin(angle))
      set(cosine, Math.cos(angle))
    })
    for (const name of special.get(day) ?? []) {
      const column = named.get(name)
      if (column !== undefined) set(column, 1)
    }
    if (standardize !== null) set(covariateColumn, standardize(day))
  }
  return { scales, rowsOf: (first, days) => buildRows(first, days, addRow) }
}

function buildRows(
  first: number,
  days: number,
  addRow: (day: number, set: (column: number, value: number) => void) => void,
): SparseRows {
  const columns: number[] = []
  const values: number[] = []
  const starts = new Uint32Array(days + 1)
  for (let index = 0; index < days; index += 1) {
    addRow(first + index, (column, value) => {
      columns.push(column)
      values.push(value)
    })
    starts[index + 1] = columns.length
  }
  return { starts, columns: Uint16Array.from(columns), values: Float64Array.from(values) }
}

/** Returns the days that a damped trend still grows by within some days. */
function dampedDays(days: number): number {
  return (trendDamping * (1 - trendDamping ** days)) / (1 - trendDamping)
}

/** Values spread over orders of magnitude, so their logarithm (of both signs) is used; 0 for a day without a value. */
function standardizer({ first, values }: KnownColumn, from: number, end: number): (day: number) => number {
  const known = values
    .subarray(Math.max(0, from - first), Math.max(0, end - first))
    .filter((value) => !Number.isNaN(value))
  const logarithms = known.map(Math.asinh)
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  const variance = logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length)
  const deviation = Math.sqrt(variance) || 1
  return (day) => {
    const value = values[day - first] ?? Number.NaN
    return Number.isNaN(value) ? 0 : (Math.asinh(value) - mean) / deviation
  }
}
