import type { InputSeries } from './shapes.ts'
import { readTimestamp } from './timestamps.ts'

/** The first point whose time cannot be read, by its place in the input. */
export function findUnreadableTimestamp(all: readonly InputSeries[]): { series: number; point: number } | undefined {
  for (const [series, { points }] of all.entries()) {
    const point = points.findIndex(({ ts }) => readTimestamp(ts) === null)
    if (point >= 0) return { series, point }
  }
  return undefined
}
