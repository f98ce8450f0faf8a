export interface SampleOptions {
  building?: string
  /** The first day, a Monday, as `yyyy-mm-dd`. */
  firstDay?: string
  weeks?: number
  /** Seed of the random numbers. A different seed gives different counts with the same pattern. */
  seed?: number
}

/** Arrivals in the busiest half hour of an average day. */
const peakArrivals = 46
/** Occupancy of Monday to Sunday relative to the busiest day: quiet Fridays, closed at the weekend. */
const weekdayFactors = [0.86, 0.97, 1, 0.94, 0.27, 0, 0]
/** The daily peaks: hour, width in hours, and height relative to the morning peak. */
const dailyPeaks = [
  { hour: 9, width: 1.1, height: 1 },
  { hour: 13, width: 0.9, height: 0.6 },
  { hour: 16, width: 1.8, height: 0.25 },
]

/**
 * Generates half-hourly arrivals at an office building as CSV with `timestamp` (local time), `building` and `arrivals`:
 * a weekly pattern, three daily peaks, 1 % growth a week, random weekly factors and Poisson noise. The same options
 * give the same bytes on every machine.
 */
export function sampleCsv(options: SampleOptions = {}): string {
  const { building = 'Harbour House', firstDay = '2026-05-04', weeks = 12, seed = 20 } = options
  const random = mulberry32(seed)
  const start = Date.parse(`${firstDay}T00:00:00Z`)
  const lines = ['timestamp,building,arrivals']
  let weekFactor = 1
  for (let halfHour = 0; halfHour < weeks * 7 * 48; halfHour += 1) {
    const day = Math.floor(halfHour / 48)
    if (halfHour % (7 * 48) === 0) weekFactor = 0.95 + 0.1 * random()
    const growth = 1 + 0.01 * (day / 7)
    const expected =
      peakArrivals * (weekdayFactors[day % 7] ?? 0) * hourFactor((halfHour % 48) / 2) * weekFactor * growth
    const timestamp = new Date(start + halfHour * 1_800_000).toISOString().slice(0, 19)
    lines.push(`${timestamp},${building},${poisson(expected, random)}`)
  }
  return `${lines.join('\n')}\n`
}

/** The relative number of arrivals at an hour of the day, from 0 to about 1; 0 at night. */
function hourFactor(hour: number): number {
  if (hour < 6 || hour >= 20) return 0
  return dailyPeaks.reduce((sum, { hour: peak, width, height }) => {
    const distance = (hour + 0.25 - peak) / width
    return sum + height * Math.exp((-distance * distance) / 2)
  }, 0)
}

/** Draws a Poisson number by Knuth's multiplication (The Art of Computer Programming, 3.4.1), for means under 100. */
function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count += 1
  return count
}

/** Tommy Ettinger's mulberry32 generator, with 32 bits of state. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
