import { gaussian } from '../../../services/solutions/test/forecast/signals.ts'

/** Random numbers of one series, and its shape. */
export interface Source {
  random: () => number
  between: (low: number, high: number) => number
  /** Returns the position in the usual day, 0 to 1, of an hour since the start. */
  dayShape: (hour: number) => number
  /** The level of each weekday as a share of the busiest. */
  weekdays: number[]
}

/** Draws the usual day and the usual week of a series. */
export function sourceOf(random: () => number): Source {
  const between = (low: number, high: number): number => low + (high - low) * random()
  const peaks = [between(8, 12), between(14, 20)].map((at) => ({ at, width: between(1.5, 4), height: between(0.5, 1) }))
  const shape = Array.from({ length: 24 }, (_, hour) =>
    peaks.reduce((sum, { at, width, height }) => sum + height * Math.exp(-((circular(hour - at) / width) ** 2)), 0),
  )
  const highest = Math.max(...shape)
  const weekend = random() < 0.3 ? 1 : between(0.1, 0.9)
  const weekdays = [0, 1, 2, 3, 4].map(() => between(0.85, 1)).concat([weekend, weekend * between(0.7, 1.1)])
  return { random, between, dayShape: (hour) => (shape[hour % 24] ?? 0) / highest, weekdays }
}

/** Returns the level of the weekday of an hour. */
export const weekdayOf = (weekdays: readonly number[], hour: number): number => weekdays[Math.floor(hour / 24) % 7] ?? 1

const circular = (hours: number): number => ((((hours + 12) % 24) + 24) % 24) - 12

/** Returns a stationary process of the first order; `deviation` is that of its innovations. */
export function autoregression(random: () => number, coefficient: number, deviation: number): () => number {
  let value = (deviation * gaussian(random)) / Math.sqrt(1 - coefficient ** 2)
  return () => {
    value = coefficient * value + deviation * gaussian(random)
    return value
  }
}

/** Returns one random value for all hours of a day. */
export function perDay(draw: () => number): (hour: number) => number {
  let value = draw()
  return (hour) => {
    if (hour % 24 === 0) value = draw()
    return value
  }
}
