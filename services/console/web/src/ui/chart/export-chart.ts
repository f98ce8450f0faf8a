import { csvSignsOf } from '@wp/contracts/local-text'
import { csvRow } from '@wp/tabular'
import { browserLocale } from '../format/number-signs.ts'
import type { Reader } from '../format/reader.ts'
import type { ChartSeries } from './chart-data.ts'

/**
 * Returns the values of a chart as CSV for the spreadsheets of the reader, as files of the platform are, times in the
 * zone of the chart; a band has two columns.
 */
export function chartCsv(
  times: readonly number[],
  series: readonly ChartSeries[],
  { locale = browserLocale(), timeZone }: Reader,
): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  })
  const header = [
    'Time',
    ...series.flatMap(({ label, bandUpper }) => (bandUpper ? [`${label} from`, `${label} to`] : label)),
  ]
  const rows = times.map((time, row) => [
    format.format(time),
    ...series.flatMap(({ values, bandUpper }) => [values[row], ...(bandUpper ? [bandUpper[row]] : [])]),
  ])
  return `\ufeff${[header, ...rows].map((cells) => csvRow(cells, csvSignsOf(locale))).join('')}`
}

/** Of bands, as in the legend of the page. */
const bandOpacity = 0.22
const [padding, titleSize, legendSize, lineHeight] = [16, 15, 12, 24]

/** Draws a chart with its title and legend as a picture. @param plot the canvas of the chart */
export async function chartPicture(
  plot: HTMLCanvasElement,
  { title, series }: { title: string; series: readonly ChartSeries[] },
): Promise<Blob | null> {
  const scale = devicePixelRatio
  const style = getComputedStyle(document.documentElement)
  const colourOf = (name: string) => style.getPropertyValue(name).trim()
  const canvas = document.createElement('canvas')
  canvas.width = plot.width + 2 * padding * scale
  canvas.height = plot.height + (2 * padding + 2 * lineHeight) * scale
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.fillStyle = colourOf('--surface')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  context.fillStyle = colourOf('--text')
  context.font = `600 ${titleSize}px Inter Variable, sans-serif`
  context.fillText(title, padding, padding + titleSize)
  context.font = `${legendSize}px Inter Variable, sans-serif`
  let left = padding
  for (const { label, colour, bandUpper } of series) {
    context.fillStyle = colourOf(`--chart-${colour}`)
    context.globalAlpha = bandUpper ? bandOpacity : 1
    context.fillRect(left, padding + lineHeight + 4, 10, 10)
    context.globalAlpha = 1
    context.fillStyle = colourOf('--text-secondary')
    context.fillText(label, left + 16, padding + lineHeight + 13)
    left += context.measureText(label).width + 32
  }
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.drawImage(plot, padding * scale, (padding + 2 * lineHeight) * scale)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
