import { forecast, type InputPoint } from '../../../services/solutions/src/forecast/index.ts'
import { boundsOf, inputOf } from '../../../services/solutions/test/forecast/signals.ts'
import type { HourlySeries } from './collection.ts'

const hourMs = 3_600_000
const start = Date.UTC(2024, 0, 1)

/** The accuracy of forecasts of one held-out part of a series; MASE by the daily naive forecast of the history. */
export interface Accuracy {
  kind: string
  mase: number
  naiveMase: number
  inside80: number
  inside95: number
  /** Processor time of the process, with garbage collection. */
  processorMs: number
}

/** Forecasts the last `horizon` hours of a series from those before. Null if too little of them was observed. */
export function measureAccuracy({ kind, values }: HourlySeries, horizon: number): Accuracy | null {
  const end = values.length
  const history = values.slice(0, end - horizon)
  const before = process.cpuUsage()
  const [series] = forecast(inputOf(pointsOf(history), { horizon, aggregation: 'mean' })).series
  const { user, system } = process.cpuUsage(before)
  const scale = mean(history.flatMap((value, hour) => apart(value, history[hour - 24])))
  const points = series?.points.flatMap(({ ts, ...point }) => {
    const hour = (Date.parse(ts) - start) / hourMs
    const actual = hour < end ? values[hour] : null
    return actual === null || actual === undefined ? [] : [{ point, hour, actual }]
  })
  if (points === undefined || points.length < horizon / 2 || scale === 0) return null
  const inside = (percent: 80 | 95): number =>
    mean(
      points.map(({ actual, point }) => {
        const [lower, upper] = boundsOf({ ts: '', ...point }, percent)
        return lower <= actual && actual <= upper ? 1 : 0
      }),
    )
  return {
    kind,
    mase: mean(points.map(({ actual, point }) => Math.abs(actual - point.mean))) / scale,
    naiveMase: mean(points.map(({ hour, actual }) => Math.abs(actual - lastDay(history, hour)))) / scale,
    inside80: inside(80),
    inside95: inside(95),
    processorMs: (user + system) / 1_000,
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function pointsOf(values: readonly (number | null)[]): InputPoint[] {
  return values.map((value, hour) => ({ ts: new Date(start + hour * hourMs).toISOString(), value }))
}

function apart(value: number | null, before: number | null | undefined): number[] {
  return value === null || before === null || before === undefined ? [] : [Math.abs(value - before)]
}

/** Returns the last observed value of the same hour of the day. */
function lastDay(history: readonly (number | null)[], hour: number): number {
  let index = hour
  while (index >= 0 && (history[index] ?? null) === null) index -= 24
  return history[index] ?? 0
}
