import type { Level } from '../shapes.ts'
import type { Holiday } from '../time/public-holidays.ts'

/** One value a day from a local date on, `YYYY-MM-DD`; null where there is none. */
export interface DailySeries {
  since: string
  values: ArrayLike<number | null>
}

/** A column that is known for the days to come, such as bookings already made or visitors of planned events. */
export interface Covariate extends DailySeries {
  /**
   * Number of days ahead for which it is known when a forecast is made; all by default. Values of past days must be
   * what was known so many days before them, not what became of it: otherwise the backtest promises too much.
   */
  daysAhead?: number
}

/** A node of the tree: a company, site, building, floor or team. */
export interface HierarchyNode {
  id: string
  parent: string | null
  /**
   * Its daily values. A node with children can do without: it is their sum. What its own values have besides them is
   * forecast as its remainder, which can be negative: a person who visits two floors counts on both and once in the
   * building.
   */
  series?: DailySeries
  covariate?: Covariate
  /** Past and coming holidays. By default those of the parent, or without any, those of the children. */
  holidays?: readonly Holiday[]
}

export interface HierarchyInput {
  /** At most 2,000. */
  nodes: readonly HierarchyNode[]
  /** The last day of the history, `YYYY-MM-DD`. */
  lastDate: string
  /** Days to forecast, 1 to 90. */
  horizon: number
  /** Default 0.8 and 0.95. */
  levels?: Level[]
  /** Number of sample paths, 100 to 500, default 300. */
  paths?: number
  /** Repeats the sample paths. */
  seed?: number
}

/** The error of the backtest with and without some knowledge; it is used where it lowers the error. */
export interface Contribution {
  wapeWith: number | null
  wapeWithout: number | null
  isUsed: boolean
}

/** The interval of a level by day. */
export interface Bounds {
  level: Level
  lower: Float64Array
  upper: Float64Array
}

/** WAPE and coverage (0 to 1) of the backtest, whose folds have the same horizon; null where they are undefined. */
export interface HierarchyAccuracy {
  /** Of the forecasts that add up. */
  wape: number | null
  /** Of the values of the week before. */
  wapeNaive: number | null
  /** Of days that are not certain, such as closed ones. Intervals of small counts cover more than their level. */
  coverage: { level: Level; share: number | null }[]
}

export interface NodeForecast {
  id: string
  parent: string | null
  /** 0 for a root. */
  depth: number
  /** By day. The mean of a node is the sum of the means of its children and its remainder. */
  mean: Float64Array
  bounds: Bounds[]
  /** The mean of what the node contains besides its children; missing if they are all. */
  remainder?: Float64Array
  accuracy: HierarchyAccuracy
  /** The earnings of knowing the holidays, and the covariate; null without any. */
  holidays: Contribution | null
  covariate: Contribution | null
  /** About values of its own that the forecast does not rest on. */
  warnings: string[]
}

/**
 * Sample paths of the leaves and remainders, whose sums are those of all nodes: see `samplePathsOf`. The value of a
 * path on a day is `values[(leaf * horizon + day) * count + path]`. Values are multiples of a power of two, so that
 * sums of them are exact.
 */
export interface SamplePaths {
  count: number
  horizon: number
  /** The numbers of the leaves of each node, in the order of `nodes`. */
  leavesOf: Uint32Array[]
  values: Float32Array
}

export interface HierarchyForecast {
  /** The days of the forecast, `YYYY-MM-DD`. */
  dates: string[]
  /** In the order of the input. */
  nodes: NodeForecast[]
  paths: SamplePaths
  warnings: string[]
}
