import type { Interval } from './intervals/calibrate.ts'
import type { RegularSeries } from './series/regularize.ts'
import type { ForecastInput, ForecastPoint, Level } from './shapes.ts'
import { type Step, stepAfter } from './time/calendar.ts'

const defaultLevels: Level[] = [0.8, 0.95]

/** Returns the steps after the last one of a series. */
export function stepsAhead({ steps, calendar, zone }: RegularSeries, horizon: number): Step[] {
  const ahead: Step[] = []
  let step = steps.at(-1)
  while (step && ahead.length < horizon) {
    step = stepAfter(calendar, zone, step)
    ahead.push(step)
  }
  return ahead
}

/**
 * Returns the point of a step. Its intervals are nested: a wider level contains every narrower one, although each is
 * calibrated on its own.
 */
export function pointOf(
  { startMs }: Step,
  mean: number,
  intervalAt: (level: number) => Interval,
  { levels = defaultLevels }: ForecastInput,
): ForecastPoint {
  const point: ForecastPoint = { ts: new Date(startMs).toISOString(), mean }
  let lower = mean
  let upper = mean
  for (const level of levels.toSorted((a, b) => a - b)) {
    const interval = intervalAt(level)
    lower = Math.min(lower, interval.lower)
    upper = Math.max(upper, interval.upper)
    const percent = Math.round(level * 100)
    point[`lower_${percent}`] = lower
    point[`upper_${percent}`] = upper
  }
  return point
}
