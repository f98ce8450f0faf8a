import type { InputSeries } from '../shapes.ts'
import { parseTimestamp } from './parse-timestamp.ts'

/** Returns the indexes of the first point with an invalid timestamp. */
export function findInvalidTimestamp(all: readonly InputSeries[]): { series: number; point: number } | undefined {
  for (const [series, { points }] of all.entries()) {
    const point = points.findIndex(({ ts }) => parseTimestamp(ts) === null)
    if (point >= 0) return { series, point }
  }
  return undefined
}
