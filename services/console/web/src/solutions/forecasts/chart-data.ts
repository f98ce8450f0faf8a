import type { ChartSeries } from '../../ui/chart/chart-data.ts'
import type { StepValue } from './aggregate.ts'
import { groupName } from './groups.ts'
import type { ForecastSeries } from './run-input.ts'

interface ChartData {
  times: number[]
  series: ChartSeries[]
}

type Colour = ChartSeries['colour']
const colours: readonly Colour[] = [1, 2, 3, 4, 5, 6]
const [forecastColour, capacityColour, historyColour]: [Colour, Colour, Colour] = [1, 5, 6]

/** Returns the levels of the intervals of a forecast in percent, widest first. */
export const levelsOf = ({ points }: Pick<ForecastSeries, 'points'>): number[] =>
  Object.keys(points[0] ?? {})
    .flatMap((name) => /^lower_(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((left, right) => right - left)

/** Returns the lines of one group: its history, the forecast with its intervals, and the capacity. */
export function groupChart(
  series: Pick<ForecastSeries, 'points'>,
  history: readonly StepValue[],
  capacity: number | undefined,
): ChartData {
  const { points } = series
  const times = [...history.map(({ time }) => time), ...points.map(({ ts }) => Date.parse(ts))]
  const past = history.map(() => null)
  const future = points.map(() => null)
  const column = (name: string) => [...past, ...points.map((point) => numberOf(point, name))]
  return {
    times,
    series: [
      ...levelsOf(series).map((level): ChartSeries => {
        const [values, bandUpper] = [column(`lower_${level}`), column(`upper_${level}`)]
        return { label: `${level}\u00a0% interval`, values, bandUpper, colour: forecastColour }
      }),
      ...(history.length > 0
        ? [{ label: 'History', values: [...history.map(({ value }) => value), ...future], colour: historyColour }]
        : []),
      { label: 'Forecast', values: column('mean'), colour: forecastColour },
      ...(capacity === undefined
        ? []
        : [{ label: 'Capacity', values: times.map(() => capacity), colour: capacityColour, kind: 'dashed' as const }]),
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
  /** The highest upper bound of the narrowest interval. */
  upper: number | null
}

/** Returns the peak of a forecast; null without points. */
export function peakOf({ points }: Pick<ForecastSeries, 'points'>, capacity: number | undefined): Peak | null {
  const [first, ...others] = points
  if (first === undefined) return null
  const highest = others.reduce((most, point) => (point.mean > most.mean ? point : most), first)
  const narrowest = levelsOf({ points }).at(-1)
  const uppers = points.flatMap((point) => numberOf(point, `upper_${narrowest}`) ?? [])
  return {
    value: highest.mean,
    time: highest.ts,
    share: capacity === undefined ? null : highest.mean / capacity,
    upper: uppers.length === 0 ? null : uppers.reduce((most, value) => Math.max(most, value)),
  }
}
