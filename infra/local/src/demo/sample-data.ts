export interface SampleOptions {
  building?: string
  /** First day, a Monday: `yyyy-mm-dd`. */
  firstDay?: string
  weeks?: number
  /** Another seed is another building of the same habits. */
  seed?: number
}

/** Arrivals in the busiest half hour of an ordinary day, about. */
const peakArrivals = 46
/** Monday to Sunday: how full a day is beside the fullest. Fridays are quiet, at the weekend the house is closed. */
const weekdayFactors = [0.86, 0.97, 1, 0.94, 0.27, 0, 0]
/** When people come: the hour of the peak, how wide it is in hours, how high beside the morning's. */
const dailyPeaks = [
  { hour: 9, width: 1.1, height: 1 },
  { hour: 13, width: 0.9, height: 0.6 },
  { hour: 16, width: 1.8, height: 0.25 },
]

/**
 * Half-hourly arrivals at an office building as CSV, `timestamp` (local, without zone), `building`, `arrivals`: a
 * weekly rhythm, three rushes a day, a little growth, weeks that are better or worse, and the scatter of counts. The
 * same options give the same bytes on every machine.
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

/** How busy the door is at this hour, from 0 to about 1; nobody comes at night. */
function hourFactor(hour: number): number {
  if (hour < 6 || hour >= 20) return 0
  return dailyPeaks.reduce((sum, { hour: peak, width, height }) => {
    const distance = (hour + 0.25 - peak) / width
    return sum + height * Math.exp((-distance * distance) / 2)
  }, 0)
}

/** A count with this mean, by Knuth's multiplication (The Art of Computer Programming, 3.4.1); quick for means under 100. */
function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count += 1
  return count
}

/** Tommy Ettinger's mulberry32: 32 bits of state, the same everywhere. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
