import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import 'uplot/dist/uPlot.min.css'
import { downloadBlob, downloadText } from '../../api/download-file.ts'
import { Button } from '../button/button.tsx'
import { axisDay, useWordFormat } from '../format/format-time.ts'
import { useReader } from '../format/reader.ts'
import styles from './chart.module.css'
import { type ChartSeries, describePoint, toPlotData } from './chart-data.ts'
import { Legend, Tooltip, ValueTable } from './chart-parts.tsx'
import type { ChartMarker } from './draw-notes.ts'
import { chartCsv, chartPicture } from './export-chart.ts'
import { formatRounded } from './round-value.ts'
import { usePlot } from './use-plot.ts'

export type { ChartSeries } from './chart-data.ts'

export interface ChartProps {
  /** Says what the chart shows: the accessible name of the figure. */
  title: string
  /** Milliseconds since 1970, ascending. */
  times: readonly number[]
  series: readonly ChartSeries[]
  height?: number
  /** The thing that the values count, written above their axis: `People present`. */
  unit?: string | undefined
  /** Default rounded by magnitude. */
  formatValue?: (value: number) => string
  formatTime?: (time: number) => string
  /** A vertical line with a name, for example where history ends. */
  marker?: ChartMarker | undefined
  /** Adds the values up, the first series on top. Not for bands. */
  isStacked?: boolean
  /** IANA zone of the times; default that of the browser. */
  timeZone?: string | undefined
  /** Charts with the same key share the position of the cursor. */
  syncKey?: string | undefined
  /** Stands in place of the legend, where another one says the same. */
  heading?: ReactNode
}

/**
 * A chart over time. Dragging zooms into a time range. The figure can be focused: arrow keys move through its points,
 * plus and minus zoom, and Escape shows everything again. Buttons show the same values as a table, and save the chart
 * as a picture or its values as CSV.
 */
export function Chart({
  title,
  times,
  series,
  height = 260,
  unit,
  formatValue = formatRounded,
  formatTime: givenFormatTime,
  marker,
  isStacked = false,
  timeZone,
  syncKey,
  heading,
}: ChartProps) {
  const [showsTable, setShowsTable] = useState(false)
  const data = useMemo(() => toPlotData(times, series, isStacked), [times, series, isStacked])
  const defaultFormatTime = useWordFormat('shortTime', timeZone)
  const formatTime = givenFormatTime ?? defaultFormatTime
  const { locale } = useReader()
  const dayFormat = axisDay({ locale })
  const plot = usePlot(data, { series, height, formatValue, marker, unit, isStacked, timeZone, syncKey, dayFormat })
  const { index, isZoomed } = plot
  const current = index === null ? undefined : times[index]
  const fileName = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  const savePicture = async () => {
    const canvas = plot.canvas()
    const picture = canvas === undefined ? null : await chartPicture(canvas, { title, series })
    if (picture !== null) downloadBlob(picture, `${fileName}.png`)
  }
  const points =
    index === null ? [] : series.map((line) => describePoint(line, index, formatValue)).filter((text) => text !== '')
  return (
    <figure className="stack-2" aria-label={title}>
      <div className={styles.head}>
        {heading ?? <Legend series={series} />}
        <span className={styles.tools}>
          {isZoomed && (
            <Button size="small" variant="quiet" onClick={plot.resetZoom}>
              Reset zoom
            </Button>
          )}
          <Button size="small" variant="quiet" aria-expanded={showsTable} onClick={() => setShowsTable(!showsTable)}>
            {showsTable ? 'Hide table' : 'Show as table'}
          </Button>
          <Button size="small" variant="quiet" aria-label="Save as PNG" onClick={() => void savePicture()}>
            PNG
          </Button>
          <Button
            size="small"
            variant="quiet"
            aria-label="Save as CSV"
            onClick={() => downloadText(chartCsv(times, series, { locale, timeZone }), `${fileName}.csv`, 'text/csv')}
          >
            CSV
          </Button>
        </span>
      </div>
      <div className={styles.stage}>
        <div
          ref={plot.container}
          className={styles.plot}
          role="application"
          tabIndex={0}
          aria-label={`${title}. Arrow keys move through ${times.length} points, plus and minus zoom, Escape shows all.`}
          style={{ height }}
          onKeyDown={(event) => handleKey(event, plot, times.length)}
        />
        {current !== undefined && (
          <Tooltip left={plot.left} width={plot.width()} time={formatTime(current)} points={points} />
        )}
      </div>
      <div className="visually-hidden" aria-live="polite">
        {current !== undefined && `${formatTime(current)} ${points.join(' · ')}`}
      </div>
      {showsTable && (
        <ValueTable title={title} times={times} series={series} formatTime={formatTime} formatValue={formatValue} />
      )}
    </figure>
  )
}

const zoomFactor = 0.5

function handleKey(event: KeyboardEvent, plot: ReturnType<typeof usePlot>, length: number): void {
  const at = plot.index
  const from = at ?? -1
  const actions: Readonly<Record<string, () => void>> = {
    ArrowRight: () => plot.moveTo(Math.min(length - 1, from + 1)),
    ArrowLeft: () => plot.moveTo(Math.max(0, from - 1)),
    PageDown: () => plot.moveTo(Math.min(length - 1, from + 10)),
    PageUp: () => plot.moveTo(Math.max(0, from - 10)),
    Home: () => plot.moveTo(0),
    End: () => plot.moveTo(length - 1),
    '+': () => plot.zoom(zoomFactor),
    '=': () => plot.zoom(zoomFactor),
    '-': () => plot.zoom(1 / zoomFactor),
    ...(plot.isZoomed && { Escape: plot.resetZoom }),
  }
  const action = actions[event.key]
  if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  action()
}
