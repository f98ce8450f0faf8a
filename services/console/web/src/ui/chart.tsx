import { useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { Button } from './button.tsx'
import styles from './chart.module.css'
import { classNames } from './class-names.ts'

type Colour = 1 | 2 | 3 | 4 | 5 | 6

/** A line of a chart, or the edge of a band. */
export interface ChartSeries {
  label: string
  /** One value for each time; null for none. */
  values: readonly (number | null)[]
  colour: Colour
  kind?: 'line' | 'dashed' | 'bars' | 'points'
  /** With this upper edge, the series is the lower edge of a band and no line of its own. */
  bandUpper?: readonly (number | null)[]
}

export interface ChartProps {
  /** Says what the chart shows: the accessible name of the figure. */
  title: string
  /** Milliseconds since 1970, ascending. */
  times: readonly number[]
  series: readonly ChartSeries[]
  height?: number
  formatValue?: (value: number) => string
  formatTime?: (time: number) => string
  /** A vertical line with a name, for example where history ends. */
  marker?: { time: number; label: string }
  isStacked?: boolean
}

const defaultFormatTime = (time: number) =>
  new Intl.DateTimeFormat('en', {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  }).format(time)
const defaultFormatValue = (value: number) => new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(value)

/**
 * A chart over time. The figure can be focused, and the arrow keys move through its points; a button shows the same
 * values as a table.
 */
export function Chart({
  title,
  times,
  series,
  height = 260,
  formatValue = defaultFormatValue,
  formatTime = defaultFormatTime,
  marker,
}: ChartProps) {
  const [showsTable, setShowsTable] = useState(false)
  const [index, setIndex] = useState<number | null>(null)
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const theme = useTheme()
  const data = useMemo(() => toPlotData(times, series), [times, series])

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read from the document, so the theme is one
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const created = new uPlot(
      plotOptions({ series, height, width: element.clientWidth, formatValue, marker, onPoint: setIndex }),
      data,
      element,
    )
    plot.current = created
    const observer = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      created.destroy()
    }
  }, [data, series, height, formatValue, marker, theme])

  const move = (to: number) => {
    const next = Math.min(times.length - 1, Math.max(0, to))
    const time = times[next]
    if (time === undefined) return
    setIndex(next)
    const chart = plot.current
    chart?.setCursor({ left: chart.valToPos(time / 1000, 'x'), top: 0 }, false)
  }
  const current = index === null ? undefined : times[index]
  return (
    <figure className={styles.figure} aria-label={title}>
      <div className={styles.head}>
        <Legend series={series} />
        <Button size="small" variant="quiet" aria-expanded={showsTable} onClick={() => setShowsTable(!showsTable)}>
          {showsTable ? 'Hide table' : 'Show as table'}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read out the points */}
      <div
        ref={container}
        className={styles.plot}
        role="application"
        tabIndex={0}
        aria-label={`${title}. Arrow keys move through ${times.length} points.`}
        style={{ height }}
        onKeyDown={(event) => {
          const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }
          const step = steps[event.key]
          if (step === undefined && event.key !== 'Home' && event.key !== 'End') return
          event.preventDefault()
          if (event.key === 'Home') move(0)
          else if (event.key === 'End') move(times.length - 1)
          else move((index ?? -1) + (step ?? 0))
        }}
      />
      <div className={styles.readout} aria-live="polite">
        {current !== undefined && index !== null
          ? `${formatTime(current)}: ${series
              .map((line) => describePoint(line, index, formatValue))
              .filter(Boolean)
              .join(' · ')}`
          : ''}
      </div>
      {showsTable && <ValueTable {...{ title, times, series, formatTime, formatValue }} />}
    </figure>
  )
}

function describePoint(
  { label, values, bandUpper }: ChartSeries,
  index: number,
  formatValue: (value: number) => string,
): string {
  const value = values[index]
  const upper = bandUpper?.[index]
  if (value === null || value === undefined) return ''
  return upper === null || upper === undefined
    ? `${label} ${formatValue(value)}`
    : `${label} ${formatValue(value)} to ${formatValue(upper)}`
}

const Legend = ({ series }: { series: readonly ChartSeries[] }) => (
  <div className={styles.legend}>
    {series.map(({ label, colour, bandUpper }) => (
      <span key={label}>
        <span
          className={classNames(styles.swatch, bandUpper !== undefined && styles.band)}
          style={{ background: `var(--chart-${colour})` }}
        />
        {label}
      </span>
    ))}
  </div>
)

function ValueTable({
  title,
  times,
  series,
  formatTime,
  formatValue,
}: Pick<ChartProps, 'title' | 'times' | 'series'> & {
  formatTime: (time: number) => string
  formatValue: (value: number) => string
}) {
  const format = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : formatValue(value)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className={styles.tableWrap} role="region" aria-label={`Values: ${title}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, row) => (
            <tr key={time}>
              <th scope="row">{formatTime(time)}</th>
              {series.map(({ label, values, bandUpper }) => (
                <td key={label}>
                  {bandUpper ? `${format(values[row])} – ${format(bandUpper[row])}` : format(values[row])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** uPlot wants seconds, and a column for every line and edge. */
function toPlotData(times: readonly number[], series: readonly ChartSeries[]): uPlot.AlignedData {
  const columns = series.flatMap(({ values, bandUpper }) => (bandUpper ? [[...values], [...bandUpper]] : [[...values]]))
  return [times.map((time) => time / 1000), ...columns]
}

interface PlotSettings {
  series: readonly ChartSeries[]
  width: number
  height: number
  formatValue: (value: number) => string
  marker: ChartProps['marker']
  onPoint: (index: number | null) => void
}

function plotOptions({ series, width, height, formatValue, marker, onPoint }: PlotSettings): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const colourOf = (name: string) => style.getPropertyValue(name).trim()
  const lines: uPlot.Series[] = [{}]
  const bands: uPlot.Band[] = []
  for (const { label, colour, kind = 'line', bandUpper } of series) {
    const stroke = colourOf(`--chart-${colour}`)
    if (bandUpper) {
      bands.push({ series: [lines.length + 1, lines.length], fill: `${stroke}33` })
      lines.push(
        { label, stroke: 'transparent', points: { show: false } },
        { label: `${label} (upper)`, stroke: 'transparent', points: { show: false } },
      )
    } else lines.push(lineOf(label, stroke, kind))
  }
  const axis = {
    stroke: colourOf('--text-muted'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
    font: '12px Inter Variable, sans-serif',
  }
  return {
    width,
    height,
    series: lines,
    bands,
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false }, points: { size: 7 } },
    axes: [axis, { ...axis, size: 56, values: (_, values) => values.map(formatValue) }],
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
      draw: [(plot) => marker && drawMarker(plot, marker, colourOf('--text-muted'))],
    },
  }
}

function lineOf(label: string, stroke: string, kind: NonNullable<ChartSeries['kind']>): uPlot.Series {
  if (kind === 'bars')
    return {
      label,
      stroke,
      fill: `${stroke}cc`,
      paths: uPlot.paths.bars?.({ size: [0.7, 40] }) as uPlot.Series.PathBuilder,
      points: { show: false },
    }
  return {
    label,
    stroke,
    width: kind === 'points' ? 0 : 1.75,
    ...(kind === 'dashed' && { dash: [5, 4] }),
    points: { show: kind === 'points', size: 5, fill: stroke },
  }
}

function drawMarker(plot: uPlot, { time, label }: NonNullable<ChartProps['marker']>, colour: string): void {
  const { ctx, bbox } = plot
  const x = plot.valToPos(time / 1000, 'x', true)
  if (x < bbox.left || x > bbox.left + bbox.width) return
  ctx.save()
  ctx.strokeStyle = colour
  ctx.fillStyle = colour
  ctx.setLineDash([4, 4])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.font = `${12 * devicePixelRatio}px sans-serif`
  ctx.fillText(label, x + 6 * devicePixelRatio, bbox.top + 14 * devicePixelRatio)
  ctx.restore()
}

/** Returns the theme of the document, and renders again when it changes. */
function useTheme(): string {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'light')
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(document.documentElement.dataset.theme ?? 'light'))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return theme
}
