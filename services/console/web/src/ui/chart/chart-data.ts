import type uPlot from 'uplot'

export type ChartColour = 1 | 2 | 3 | 4 | 5 | 6 | 'past'

/** A line of a chart, or the edge of a band. */
export interface ChartSeries {
  label: string
  /** One value for each time; null for none. */
  values: readonly (number | null)[]
  colour: ChartColour
  kind?: 'line' | 'dashed' | 'bars' | 'points'
  /** With this upper edge, the series is the lower edge of a band and no line of its own. */
  bandUpper?: readonly (number | null)[]
  /** The line is a limit of one value, such as a capacity. Its label, which has the value, stands on it. */
  isLimit?: boolean
}

/**
 * Converts to the columns of uPlot: times in seconds, and a column for every line and edge. Stacked, the column of a
 * series is the sum of its values and those of the series after it, so that a later series is drawn over the foot of
 * the sum.
 */
export function toPlotData(
  times: readonly number[],
  series: readonly ChartSeries[],
  isStacked = false,
): uPlot.AlignedData {
  const seconds = times.map((time) => time / 1000)
  if (isStacked) return [seconds, ...series.map((_, index) => sumFrom(series.slice(index), times.length))]
  return [
    seconds,
    ...series.flatMap(({ values, bandUpper }) => (bandUpper ? [[...values], [...bandUpper]] : [[...values]])),
  ]
}

const sumFrom = (series: readonly ChartSeries[], length: number): (number | null)[] =>
  Array.from({ length }, (_, row) => {
    const values = series.map(({ values: column }) => column[row]).filter((value) => typeof value === 'number')
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
  })

/** Describes the value of a series at a point: `Forecast 12`, `80 % interval 8 to 16`. Empty if there is none. */
export function describePoint(
  { label, values, bandUpper, isLimit }: ChartSeries,
  index: number,
  formatValue: (value: number) => string,
): string {
  const value = values[index]
  const upper = bandUpper?.[index]
  if (value === null || value === undefined) return ''
  // The name of a limit has its value.
  if (isLimit === true) return label
  return upper === null || upper === undefined
    ? `${label} ${formatValue(value)}`
    : `${label} ${formatValue(value)} to ${formatValue(upper)}`
}
