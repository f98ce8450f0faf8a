import type uPlot from 'uplot'
import type { ChartSeries } from './chart-data.ts'
import { weekendsBetween } from './weekends.ts'

/** A vertical line with a name. */
export interface ChartMarker {
  time: number
  label: string
}

/** Texts and shades beside the lines of a chart. */
export interface ChartNotes {
  marker: ChartMarker | undefined
  /** The unit of the values, above their axis. */
  unit: string | undefined
  timeZone: string | undefined
}

type ColourOf = (name: string) => string

/** Pixels above the plot for the unit and the name of the marker. */
export const noteHeight = 24
const [fontSize, baseline, gap] = [12, 14, 6]

/** Shades the weekends, under everything else. */
export function shadeWeekends(plot: uPlot, timeZone: string | undefined, colourOf: ColourOf): void {
  const { min, max } = plot.scales.x ?? {}
  if (min == null || max == null) return
  const { ctx, bbox } = plot
  ctx.save()
  ctx.fillStyle = colourOf('--surface-muted')
  for (const [from, until] of weekendsBetween(1_000 * min, 1_000 * max, timeZone)) {
    const [left, right] = [plot.valToPos(from / 1_000, 'x', true), plot.valToPos(until / 1_000, 'x', true)]
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  ctx.restore()
}

/** Writes the unit above the axis, draws the marker, and names the limits on their lines. */
export function drawNotes(plot: uPlot, notes: ChartNotes, series: readonly ChartSeries[], colourOf: ColourOf): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio
  ctx.save()
  ctx.font = `${fontSize * scale}px Inter Variable, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  const top = bbox.top - noteHeight * scale + baseline * scale
  ctx.fillStyle = colourOf('--text-muted')
  if (notes.unit !== undefined) ctx.fillText(notes.unit, gap * scale, top)
  if (notes.marker !== undefined) drawMarker(notes.marker, notes.unit ?? '')
  for (const line of series) if (line.isLimit === true) nameLimit(line)
  ctx.restore()

  function drawMarker({ time, label }: ChartMarker, unit: string): void {
    const x = plot.valToPos(time / 1_000, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) return
    ctx.strokeStyle = colourOf('--text-muted')
    ctx.setLineDash([4, 4])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const width = ctx.measureText(label).width
    const left = Math.min(x, bbox.left + bbox.width - width)
    // Beside the unit, not over it.
    if (left > (unit === '' ? 0 : ctx.measureText(unit).width + 3 * gap * scale)) ctx.fillText(label, left, top)
  }

  function nameLimit({ label, values }: ChartSeries): void {
    const value = values.find((one) => one !== null)
    if (value === undefined || value === null) return
    const y = plot.valToPos(value, 'y', true)
    const width = ctx.measureText(label).width
    const left = bbox.left + gap * scale
    const isBelow = y - (fontSize + gap) * scale < bbox.top
    const bottom = isBelow ? y + (fontSize + 2) * scale : y - (gap / 2) * scale
    ctx.fillStyle = colourOf('--surface')
    ctx.globalAlpha = 0.8
    ctx.fillRect(left - 2 * scale, bottom - fontSize * scale, width + 4 * scale, (fontSize + 3) * scale)
    ctx.globalAlpha = 1
    ctx.fillStyle = colourOf('--text-secondary')
    ctx.fillText(label, left, bottom)
  }
}
