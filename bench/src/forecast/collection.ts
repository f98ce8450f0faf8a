import { gaussian, poisson, randomOf } from '../../../services/solutions/test/forecast/signals.ts'
import { autoregression, perDay, type Source, sourceOf, weekdayOf } from './source.ts'

/** An hourly series in UTC that starts on a Monday at midnight; null is a gap. */
export interface HourlySeries {
  kind: string
  values: (number | null)[]
}

/** Returns the next value; called for each hour in order. */
type Signal = (hour: number) => number | null

const kinds: Record<string, (source: Source) => Signal> = {
  'power demand': ({ random, between, dayShape, weekdays }) => {
    const [level, swing, noise] = [between(500, 5_000), between(0.2, 0.6), between(0.005, 0.02)]
    const weather = autoregression(random, 0.985, between(0.01, 0.03))
    const error = autoregression(random, 0.85, noise)
    return (hour) =>
      level * (1 + swing * dayShape(hour) * (0.5 + 0.5 * weekdayOf(weekdays, hour)) + weather() + error())
  },
  'web traffic': ({ random, between, dayShape, weekdays }) => {
    const [level, growth] = [between(50, 2_000), between(-0.02, 0.03)]
    const day = perDay(() => Math.exp(between(0.05, 0.2) * gaussian(random)))
    const error = autoregression(random, between(0.5, 0.9), between(0.05, 0.15))
    return (hour) =>
      level *
      (0.2 + dayShape(hour)) *
      weekdayOf(weekdays, hour) *
      (1 + growth) ** (hour / 168) *
      day(hour) *
      Math.exp(error())
  },
  'people in a building': ({ random, between, dayShape, weekdays }) => {
    const level = between(5, 150)
    const day = perDay(() => Math.exp(0.15 * gaussian(random)))
    return (hour) => poisson(random, level * dayShape(hour) ** 2 * weekdayOf(weekdays, hour) * day(hour) + 0.1)
  },
  temperature: ({ random, between, dayShape }) => {
    const [level, swing] = [between(-5, 20), between(3, 10)]
    const weather = autoregression(random, 0.99, between(0.3, 0.6))
    const clouds = perDay(() => between(0.4, 1.2))
    return (hour) => level + swing * clouds(hour) * dayShape(hour) + weather() + 0.2 * gaussian(random)
  },
  'level shifts': ({ random, between, dayShape, weekdays }) => {
    const base = between(50, 500)
    let level = base
    const error = autoregression(random, 0.7, 0.05)
    return (hour) => {
      if (random() < 1 / 250) level = base * between(0.6, 1.6)
      return level * (0.3 + dayShape(hour) * weekdayOf(weekdays, hour)) * (1 + error())
    }
  },
  'wandering level': ({ random, between, dayShape }) => {
    const [level, swing] = [between(100, 1_000), between(0.05, 0.4)]
    const walk = autoregression(random, 0.998, between(0.01, 0.03))
    return (hour) => level * Math.exp(walk()) * (1 + swing * dayShape(hour))
  },
  'few events': ({ random, between, dayShape, weekdays }) => {
    const level = between(0.5, 4)
    return (hour) => poisson(random, level * dayShape(hour) * weekdayOf(weekdays, hour))
  },
  'outliers and outages': ({ random, between, dayShape, weekdays }) => {
    const level = between(50, 500)
    const error = autoregression(random, 0.8, 0.05)
    let outage = 0
    return (hour) => {
      if (random() < 1 / 300) outage = Math.round(between(2, 14))
      outage -= 1
      const value = level * (0.3 + dayShape(hour) * weekdayOf(weekdays, hour)) * (1 + error())
      if (outage > 0) return 0
      return random() < 0.01 ? value * between(1.5, 4) : value
    }
  },
  'closed days': ({ random, between, dayShape, weekdays }) => {
    const level = between(20, 300)
    const open = perDay(() => (random() < 0.05 ? 0.03 : 1))
    const error = autoregression(random, 0.8, 0.1)
    return (hour) => level * open(hour) * (0.02 + dayShape(hour) * weekdayOf(weekdays, hour)) * Math.exp(error())
  },
  gaps: ({ random, between, dayShape, weekdays }) => {
    const level = between(50, 800)
    const error = autoregression(random, 0.9, 0.05)
    let gap = 0
    return (hour) => {
      if (random() < 1 / 120) gap = Math.round(between(1, 30))
      gap -= 1
      const value = level * (0.3 + dayShape(hour) * weekdayOf(weekdays, hour)) * (1 + error())
      return gap > 0 ? null : value
    }
  },
  'sun and clouds': ({ random, between }) => {
    const peak = between(100, 900)
    const clouds = autoregression(random, 0.97, 0.12)
    return (hour) => {
      const height = Math.max(0, Math.sin((((hour % 24) - 6) / 12) * Math.PI))
      return peak * height * (0.25 + 0.75 / (1 + Math.exp(-3 * clouds() - 1)))
    }
  },
}

/**
 * Simulates series of several kinds of hourly measurements. Each has a shape of its own; the same seed gives the same
 * series.
 * @param seed series of different seeds share nothing: tune on some, measure on others
 */
export function simulateCollection(
  seed: number,
  seriesPerKind: number,
  hours: (index: number) => number,
): HourlySeries[] {
  return Object.entries(kinds).flatMap(([kind, signalOf], number) =>
    Array.from({ length: seriesPerKind }, (_, index) => {
      const signal = signalOf(sourceOf(randomOf(seed * 1_000_003 + number * 1_009 + index)))
      return { kind, values: Array.from({ length: hours(index) }, (__, hour) => signal(hour)) }
    }),
  )
}
