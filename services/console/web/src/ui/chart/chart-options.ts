import uPlot from 'uplot'
import type { ChartSeries } from './chart-data.ts'
import { type ChartNotes, drawNotes, noteHeight, shadeWeekends } from './draw-notes.ts'

export interface PlotSettings extends ChartNotes {
  series: readonly ChartSeries[]
  width: number
  height: number
  isStacked: boolean
  /** Charts with the same key share the position of the cursor. */
  syncKey: string | undefined
  /** Pattern of a day; who writes the month first, `{MMM} {D}`, also has `2 PM` rather than `14:00`. */
  dayFormat: string
  formatValue: (value: number) => string
  /** @param left the position of the point in the container, in pixels */
  onPoint: (index: number | null, left: number) => void
  onZoom: (isZoomed: boolean) => void
}

/** Two lines of text. */
const timeAxisHeight = 40
const [minute, hour, day, month, year] = [60, 3_600, 86_400, 2_419_200, 31_536_000]
/** The first step of ticks, its text, and the second line where year, month or day begin. */
const timeFormats = (date: string, hours: string, minutes: string, seconds: string): uPlot.Axis.Values => [
  [year, '{YYYY}', null, null, null, null, null, null, 1],
  [month, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [day, date, '\n{YYYY}', null, null, null, null, null, 1],
  [hour, hours, `\n${date} {YYYY}`, null, `\n${date}`, null, null, null, 1],
  [minute, minutes, `\n${date} {YYYY}`, null, `\n${date}`, null, null, null, 1],
  [1, seconds, `\n${date} {YYYY}`, null, `\n${date}`, null, null, null, 1],
]

/** Seconds between ticks: weeks rather than any number of days, because weekdays matter. */
const timeSteps: uPlot.Axis.Incrs = [
  ...[1, 5, 10, 15, 30],
  ...[1, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * hour),
  ...[1, 2, 7, 14].map((count) => count * day),
  ...[1, 2, 3, 4, 6].map((count) => count * month),
  ...[1, 2, 5, 10].map((count) => count * year),
]

const [minAxisWidth, characterWidth, axisPadding] = [36, 7, 14]

/** Returns the options of a plot. Colours are those of the document at the time of the call. */
export function plotOptions(settings: PlotSettings): uPlot.Options {
  const { width, height, series, marker, unit, timeZone, syncKey, dayFormat, formatValue, onPoint, onZoom } = settings
  const hasBars = series.some(({ kind }) => kind === 'bars')
  const style = getComputedStyle(document.documentElement)
  const colourOf = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colourOf('--text-muted'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
    font: '12px Inter Variable, sans-serif',
  }
  return {
    width,
    height,
    padding: [marker === undefined && unit === undefined ? null : noteHeight, null, null, null],
    ...plotLines(settings, colourOf),
    legend: { show: false },
    scales: {
      y: { range: (_, min, max) => (min === null ? [0, 1] : uPlot.rangeNum(Math.min(0, min), max, 0.1, true)) },
    },
    ...(timeZone !== undefined && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), timeZone) }),
    cursor: {
      y: false,
      drag: { x: true, y: false },
      points: { size: 7 },
      ...(syncKey !== undefined && { sync: { key: syncKey, setSeries: false } }),
    },
    axes: [
      {
        ...axis,
        values: dayFormat.startsWith('{MMM}')
          ? timeFormats(dayFormat, '{h} {AA}', '{h}:{mm} {AA}', '{h}:{mm}:{ss} {AA}')
          : timeFormats(dayFormat, '{HH}:{mm}', '{HH}:{mm}', '{HH}:{mm}:{ss}'),
        incrs: timeSteps,
        space: 64,
        size: timeAxisHeight,
      },
      {
        ...axis,
        // Ticks closer than the values are rounded would repeat a label.
        values: (_, values) => values.map(formatValue).map((label, at, all) => (label === all[at - 1] ? '' : label)),
        size: (_, labels) => {
          const longest = Math.max(0, ...(labels ?? []).map(({ length }) => length))
          return Math.max(minAxisWidth, longest * characterWidth + axisPadding)
        },
      },
    ],
    hooks: {
      setCursor: [({ cursor, over }) => onPoint(cursor.idx ?? null, over.offsetLeft + (cursor.left ?? 0))],
      setScale: [(plot, scale) => scale === 'x' && onZoom(isZoomed(plot))],
      // A bar is in the middle of its day, so the shade of a weekend would begin beside it.
      drawClear: [(plot) => hasBars || shadeWeekends(plot, timeZone, colourOf)],
      draw: [(plot) => drawNotes(plot, settings, series, colourOf)],
    },
  }
}

/** Returns true if the plot shows a part of its times only. */
function isZoomed({ data: [times], scales }: uPlot): boolean {
  const { min, max } = scales.x ?? {}
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || min == null || max == null) return false
  return min > first || max < last
}

function plotLines({ series, isStacked }: PlotSettings, colourOf: (name: string) => string) {
  const lines: uPlot.Series[] = [{}]
  const bands: uPlot.Band[] = []
  for (const { label, colour, kind = 'line', bandUpper } of series) {
    const stroke = colourOf(`--chart-${colour}`)
    if (bandUpper && !isStacked) {
      bands.push({ series: [lines.length + 1, lines.length], fill: `${stroke}2b` })
      const edge = { stroke: 'transparent', width: 0, points: { show: false } }
      lines.push({ ...edge, label }, { ...edge, label: `${label} (upper)` })
    } else lines.push(lineOf(label, stroke, kind, isStacked))
  }
  return { series: lines, bands }
}

function lineOf(
  label: string,
  stroke: string,
  kind: NonNullable<ChartSeries['kind']>,
  isStacked: boolean,
): uPlot.Series {
  if (kind === 'bars')
    return {
      label,
      stroke,
      // The bars of a stack cover each other, so they must be opaque.
      fill: isStacked ? stroke : `${stroke}cc`,
      paths: uPlot.paths.bars?.({ size: [0.7, 40] }) as uPlot.Series.PathBuilder, // the default build has every path builder
      points: { show: false },
    }
  return {
    label,
    stroke,
    width: kind === 'points' ? 0 : 1.75,
    ...(kind === 'dashed' && { dash: [5, 4] }),
    points: { show: kind === 'points', size: 5, fill: stroke, filter: kind === 'points' ? () => null : loneValues },
  }
}

/** Returns the values between missing ones, which are drawn as points: no line reaches them. */
function loneValues({ data }: uPlot, at: number): number[] | null {
  const values = data[at] ?? []
  const isMissing = (index: number) => (values[index] ?? null) === null
  const lone = [...values.keys()].filter((index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1))
  return lone.length === 0 ? null : lone
}
