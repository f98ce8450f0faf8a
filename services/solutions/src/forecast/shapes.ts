/** Input and output of a forecast: plain data, with the field names of the public API. */

export type Frequency = 'hour' | 'day' | 'week'
export type Aggregation = 'sum' | 'mean' | 'max' | 'last' | 'count'
/** A level is a state at a moment, such as people present; a flow is what happened in an interval, such as arrivals. */
export type Measure = 'level' | 'flow'
export type Level = 0.5 | 0.8 | 0.9 | 0.95 | 0.99
export type SeriesKey = Record<string, string>

/** `ts` is ISO 8601: with an offset or `Z`, or local (read in the time zone of the request), or a date alone. */
export interface InputPoint {
  ts: string
  value: number | null
}

export interface InputSeries {
  key: SeriesKey
  /** An upper bound of every value. */
  capacity?: number
  /** Local dates on which the group is closed: its values there are not used, and the forecast is 0. */
  closedDates?: string[]
  /** The kind of the values, if it is known. */
  measure?: Measure
  /** Number of rows that have no point, since their time or value cannot be used. */
  unusableRows?: number
  /** True if further rows, of this series or another one, are missing. */
  mayLackRows?: boolean
  points: InputPoint[]
}

export interface ForecastInput {
  series: InputSeries[]
  frequency: Frequency
  /** Combines the values of one step; `count` is their number. */
  aggregation: Aggregation
  /** IANA name. Hours, days and weeks (Monday first) are those of its wall clock. */
  timezone: string
  /** Number of steps to forecast. */
  horizon: number
  /** Default 0.8 and 0.95. */
  levels?: Level[]
  /** Local dates, `YYYY-MM-DD`, in the past and future. */
  holidays?: string[]
  /** Named kinds of days, in the past and future, whose effect is learned. A date is of the first kind that has it. */
  calendar?: { name: string; dates: string[] }[]
}

/** `mean`, and for each asked level `lower_80`, `upper_80` and so on. `ts` is RFC 3339 UTC, the start of the step. */
export type ForecastPoint = { ts: string; mean: number } & { [bound: `lower_${number}` | `upper_${number}`]: number }

/**
 * `mase` is scaled by the in-sample error of the seasonal naive (Hyndman & Koehler 2006); null where that is zero.
 * `wape` is the sum of absolute errors over the sum of absolute values; null where that is zero.
 */
export interface Score {
  name: string
  mase: number | null
  wape: number | null
}

interface Accuracy {
  mase: number | null
  wape: number | null
  /**
   * Share (0 to 1) of values inside the interval, on folds that took no part in its calibration; null if unmeasured.
   */
  coverage_80: number | null
  coverage_95: number | null
  baseline: Score
}

/** Counted in steps, but `duplicates`, which are input points. */
export interface DataQuality {
  length: number
  gaps: number
  duplicates: number
  imputed: number
}

/** The rows of a series and how many of them the forecast rests on. */
export interface RowUsage {
  rows_read: number
  /** Rows without a value, which are gaps. */
  rows_empty: number
  rows_used: number
  /** Rows used, as a share of those that are not empty; 1 if all are empty. */
  usable_share: number
}

interface CalendarEffectView {
  name: string
  /** Days of the kind in the history that could be compared. */
  days: number
  /** Their mean difference from usual days, as a share; null without such days. */
  effect: number | null
  /** True if the effect is significant: only then it is part of the forecast. */
  applied: boolean
}

interface SeriesError {
  code: 'series_too_short' | 'too_few_usable_rows'
  message: string
  retryable: false
  /** With `series_too_short` only. */
  required?: number
  available?: number
}

export interface ForecastSeries {
  key: SeriesKey
  points: ForecastPoint[]
  /** Null where the series has an error. */
  model: { selected: string; candidates: Score[] } | null
  accuracy: Accuracy | null
  data_quality: DataQuality & RowUsage
  /** The effect of each kind of day in the calendar. */
  calendar_effects?: CalendarEffectView[]
  warnings: string[]
  error?: SeriesError
}

/** One local day, or one week of a weekly series. */
export interface Period {
  /** The first instant, and the first one after it. */
  startMs: number
  endMs: number
  /** Days since 1970-01-01, local; null for weeks. */
  date: number | null
  /** Monday is 0; null for weeks. */
  weekday: number | null
  /** The highest value of a step. */
  peak: number
  /** True for a complete day that is no holiday and on which the group is open. */
  isUsual: boolean
}

/** A period of the history. Unless `isObserved`, its values are imputed. */
export interface PastPeriod extends Period {
  isObserved: boolean
}

/** A period of the forecast, without the bound of the capacity. */
export interface ComingPeriod extends Period {
  /** The quantiles of the peak at `quantileProbabilities`. */
  quantiles: number[]
}

/** The last weeks and the forecast of a series by day, from which recommendations are derived. */
export interface SeriesProfile {
  key: SeriesKey
  capacity?: number
  measure?: Measure
  past: PastPeriod[]
  coming: ComingPeriod[]
}

/** The last steps of a series before its forecast; null where a value was imputed, or the group was closed. */
export interface SeriesHistory {
  /** The starts of the steps, ascending, in seconds since 1970. */
  times: number[]
  values: (number | null)[]
}

export interface ForecastOutput {
  series: ForecastSeries[]
  /** The history of each series, at its index; null for a series with an error. */
  histories: (SeriesHistory | null)[]
  /** The profile of each series, at its index; null for a series with an error, or whose values are in doubt. */
  profiles: (SeriesProfile | null)[]
}
