import type { ForecastInput, ForecastPoint, InputPoint, InputSeries } from '../../src/forecast/index.ts'

const hourMs = 3_600_000

/** Returns a seeded generator of uniform numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

export function poisson(random: () => number, mean: number): number {
  const end = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > end; product *= random()) count += 1
  return count
}

/** Returns hourly points in UTC from a start. */
export function hourlyFrom(start: string, hours: number, valueAt: (instant: number) => number): InputPoint[] {
  return Array.from({ length: hours }, (_, hour) => {
    const instant = Date.parse(start) + hour * hourMs
    return { ts: new Date(instant).toISOString(), value: valueAt(instant) }
  })
}

export function dailyFrom(date: string, days: number, valueAt: (day: number) => number): InputPoint[] {
  return Array.from({ length: days }, (_, day) => ({
    ts: new Date(Date.parse(date) + day * 24 * hourMs).toISOString().slice(0, 10),
    value: valueAt(day),
  }))
}

export interface WallClock {
  /** Monday is 0. */
  weekday: number
  hour: number
  date: string
}

/** Returns local time parts from Intl: slow, but independent of the code under test. */
export function wallClock(timezone: string): (instant: number) => WallClock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  })
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    return {
      weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday ?? ''),
      hour: Number(parts.hour),
      date: `${parts.year}-${parts.month}-${parts.day}`,
    }
  }
}

/** People per hour in an office: two peaks on workdays, almost none otherwise. */
export function officeHours({ weekday, hour }: WallClock): number {
  const busy = [0.9, 1, 1, 1, 0.85, 0.05, 0.02][weekday] ?? 0
  return 40 * busy * (Math.exp(-(((hour - 10.5) / 2.2) ** 2)) + Math.exp(-(((hour - 14.5) / 2.5) ** 2)))
}

export function inputOf(
  points: InputPoint[],
  { capacity, ...rest }: Partial<ForecastInput> & Pick<InputSeries, 'capacity'> = {},
): ForecastInput {
  return {
    series: [{ key: { building: 'north' }, ...(capacity === undefined ? {} : { capacity }), points }],
    frequency: 'hour',
    aggregation: 'sum',
    timezone: 'UTC',
    horizon: 168,
    ...rest,
  }
}

/** Returns the bounds of a level given as a variable. */
export function boundsOf(point: ForecastPoint, percent: number): [lower: number, upper: number] {
  return [point[`lower_${percent}`] ?? Number.NaN, point[`upper_${percent}`] ?? Number.NaN]
}
