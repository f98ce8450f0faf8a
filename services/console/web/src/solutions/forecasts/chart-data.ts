import type { ChartSeries } from '../../ui/chart/chart-data.ts'
import { formatRounded } from '../../ui/chart/round-value.ts'
import { groupName } from './groups.ts'
import type { ForecastSeries } from './run-input.ts'

interface ChartData {
  times: number[]
  series: ChartSeries[]
}

/** The value of a step by its start; null where there is none. */
export interface StepValue {
  time: number
  value: number | null
}

type Colour = ChartSeries['colour']
const colours: readonly Colour[] = [1, 2, 3, 4, 5, 6]
const [forecastColour, capacityColour, historyColour]: [Colour, Colour, Colour] = [1, 5, 'past']
/** The level of the range that is drawn. */
const usualLevel = 80

/** Returns the levels of the intervals of a forecast in percent, widest first. */
export const levelsOf = ({ points }: Pick<ForecastSeries, 'points'>): number[] =>
  Object.keys(points[0] ?? {})
    .flatMap((name) => /^lower_(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((left, right) => right - left)

/** Returns the asked level if the forecast has it, or else 80 %, or the narrowest; undefined without any. */
export function shownLevel(series: Pick<ForecastSeries, 'points'>, asked?: number): number | undefined {
  const levels = levelsOf(series)
  return [asked, usualLevel, levels.at(-1)].find((level) => level !== undefined && levels.includes(level))
}

/** Returns the lines of one group: its history, the forecast with the range of one level, and the capacity. */
export function groupChart(
  series: Pick<ForecastSeries, 'points'>,
  history: readonly StepValue[],
  {
    capacity,
    level,
    hasHistory = history.length > 0,
  }: {
    capacity?: number | undefined
    level?: number | undefined
    /** Also while the history is read: its name has a place from the beginning. */
    hasHistory?: boolean
  } = {},
): ChartData {
  const { points } = series
  const times = [...history.map(({ time }) => time), ...points.map(({ ts }) => Date.parse(ts))]
  const past = history.map(() => null)
  const future = points.map(() => null)
  const column = (name: string) => [...past, ...points.map((point) => numberOf(point, name))]
  const shown = shownLevel(series, level)
  return {
    times,
    series: [
      ...(shown === undefined
        ? []
        : [
            {
              label: `${shown}\u00a0% range`,
              values: column(`lower_${shown}`),
              bandUpper: column(`upper_${shown}`),
              colour: forecastColour,
            },
          ]),
      ...(hasHistory
        ? [{ label: 'History', values: [...history.map(({ value }) => value), ...future], colour: historyColour }]
        : []),
      { label: 'Forecast', values: column('mean'), colour: forecastColour },
      ...(capacity === undefined
        ? []
        : [
            {
              label: `Capacity ${formatRounded(capacity)}`,
              values: times.map(() => capacity),
              colour: capacityColour,
              kind: 'dashed' as const,
              isLimit: true,
            },
          ]),
    ],
  }
}

/** Returns a line for each group: its history, continued by the forecast. */
export function overlayChart(
  groups: readonly { series: Pick<ForecastSeries, 'key' | 'points'>; history: readonly StepValue[] }[],
): ChartData {
  const columns = groups.map(
    ({ series: { points }, history }) =>
      new Map([
        ...history.map(({ time, value }) => [time, value] as const),
        ...points.map(({ ts, mean }) => [Date.parse(ts), mean] as const),
      ]),
  )
  const times = [...new Set(columns.flatMap((column) => [...column.keys()]))].toSorted((left, right) => left - right)
  return {
    times,
    series: groups.map(({ series }, index) => ({
      label: groupName(series.key),
      values: times.map((time) => columns[index]?.get(time) ?? null),
      colour: colours[index % colours.length] ?? 1,
    })),
  }
}

function numberOf(point: ForecastSeries['points'][number], name: string): number | null {
  const values: Record<string, unknown> = point
  const value = values[name]
  return typeof value === 'number' ? value : null
}

/** The highest mean of a forecast. */
export interface Peak {
  value: number
  time: string
  /** Relative to the capacity; null without one. */
  share: number | null
  /** The highest upper bound of the range that is drawn. */
  upper: number | null
}

/** The share of the capacity from which a group counts as full: a forecast is never above it. */
export const fullShare = 0.995

/** Returns the peak of a forecast, of a full group the first step at which it is full; null without points. */
export function peakOf({ points }: Pick<ForecastSeries, 'points'>, capacity: number | undefined): Peak | null {
  const [first, ...others] = points
  if (first === undefined) return null
  const highest = others.reduce((most, point) => (point.mean > most.mean ? point : most), first)
  const isFull = ({ mean }: { mean: number }) => capacity !== undefined && mean >= fullShare * capacity
  const uppers = points.flatMap((point) => numberOf(point, `upper_${shownLevel({ points })}`) ?? [])
  return {
    value: highest.mean,
    time: (points.find(isFull) ?? highest).ts,
    share: capacity === undefined ? null : highest.mean / capacity,
    upper: uppers.length === 0 ? null : uppers.reduce((most, value) => Math.max(most, value)),
  }
}
