import { type RefObject, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { type PlotSettings, plotOptions } from './chart-options.ts'

export interface Plot {
  container: RefObject<HTMLDivElement | null>
  /** The point under the cursor. */
  index: number | null
  /** The position of the point in the container, in pixels. */
  left: number
  /** Returns the width of the container, in pixels. */
  width: () => number
  /** Returns the picture of the chart. */
  canvas: () => HTMLCanvasElement | undefined
  isZoomed: boolean
  /** Moves the cursor to a point, which is brought into view. */
  moveTo: (index: number) => void
  /** Zooms in (a factor under 1) or out, around the point under the cursor. */
  zoom: (factor: number) => void
  resetZoom: () => void
}

type Settings = Omit<PlotSettings, 'width' | 'onPoint' | 'onZoom'>

/**
 * Draws data into a container. New values of the same series keep the zoom; other series draw a new plot. Longer than
 * most functions: its effects share the plot.
 */
export function usePlot(data: uPlot.AlignedData, settings: Settings): Plot {
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef({ data, settings })
  latest.current = { data, settings }
  const [{ index, left }, setPoint] = useState<{ index: number | null; left: number }>({ index: null, left: 0 })
  const [isZoomed, setZoomed] = useState(false)
  const theme = useTheme()
  const { series, height, marker, unit, isStacked, timeZone, syncKey, dayFormat } = settings
  const look = JSON.stringify([
    series.map(({ label, colour, kind, bandUpper, isLimit }) => [
      label,
      colour,
      kind,
      bandUpper !== undefined,
      isLimit,
    ]),
    ...[height, marker, unit, isStacked, timeZone, syncKey, dayFormat],
  ])

  useEffect(() => {
    const element = container.current
    if (element === null) return
    const current = latest.current
    const options = plotOptions({
      ...current.settings,
      formatValue: (value) => latest.current.settings.formatValue(value),
      width: element.clientWidth,
      onPoint: (at, position) => setPoint({ index: at, left: position }),
      onZoom: setZoomed,
    })
    const created = new uPlot(options, current.data, element)
    plot.current = created
    const stopTouch = followTouch(created)
    const observer = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: options.height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      stopTouch()
      created.destroy()
    }
  }, [look, theme])

  useEffect(() => {
    const current = plot.current
    if (current === undefined || current.data === data) return
    const { min, max } = current.scales.x ?? {}
    const [first, last] = [current.data[0][0], current.data[0].at(-1)]
    const keeps = min != null && max != null && first !== undefined && last !== undefined && (min > first || max < last)
    current.setData(data, true)
    if (keeps) current.setScale('x', { min, max })
  }, [data])

  const [firstTime = 0, lastTime = 0] = [data[0][0], data[0].at(-1)]
  return {
    container,
    index,
    left,
    width: () => container.current?.clientWidth ?? 0,
    canvas: () => plot.current?.ctx.canvas,
    isZoomed,
    moveTo(to) {
      const chart = plot.current
      const time = data[0][to]
      if (chart === undefined || time === undefined) return
      const { min = firstTime, max = lastTime } = chart.scales.x ?? {}
      if (min !== null && max !== null && (time < min || time > max)) {
        const from = Math.min(Math.max(firstTime, time - (max - min) / 2), lastTime - (max - min))
        chart.setScale('x', { min: from, max: from + (max - min) })
      }
      const position = chart.valToPos(time, 'x')
      chart.setCursor({ left: position, top: 0 }, true)
      setPoint({ index: to, left: chart.over.offsetLeft + position })
    },
    zoom(factor) {
      const chart = plot.current
      const { min, max } = chart?.scales.x ?? {}
      if (chart === undefined || min == null || max == null) return
      const centre = (index === null ? undefined : data[0][index]) ?? (min + max) / 2
      chart.setScale('x', {
        min: Math.max(firstTime, centre - (centre - min) * factor),
        max: Math.min(lastTime, centre + (max - centre) * factor),
      })
    },
    resetZoom: () => plot.current?.setScale('x', { min: firstTime, max: lastTime }),
  }
}

/** Moves the cursor with a finger; a vertical movement still scrolls the page. */
function followTouch(plot: uPlot): () => void {
  plot.over.style.touchAction = 'pan-y'
  const follow = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return
    const { left, top } = plot.over.getBoundingClientRect()
    plot.setCursor({ left: event.clientX - left, top: event.clientY - top }, true)
  }
  plot.over.addEventListener('pointerdown', follow)
  plot.over.addEventListener('pointermove', follow)
  return () => {
    plot.over.removeEventListener('pointerdown', follow)
    plot.over.removeEventListener('pointermove', follow)
  }
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
