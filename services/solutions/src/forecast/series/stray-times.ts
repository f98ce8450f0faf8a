/** Times at one end of a series that are far from all others. */
export interface StrayTimes {
  count: number
  /** The one farthest from the others. */
  farthestMs: number
  /** The time between them and the others; null if there are no others. */
  gapMs: number | null
}

/** The times from `fromMs` to `toMs`, and the strays on both sides of them. Without any time, `fromMs` is larger. */
export interface MainTimes {
  fromMs: number
  toMs: number
  before: StrayTimes | null
  after: StrayTimes | null
}

const dayMs = 86_400_000
const yearMs = 365.25 * dayMs
/** Times outside these years are faults, however many there are: no file of measurements has them. */
const [firstMs, endMs] = [Date.UTC(1900, 0, 1), Date.UTC(2200, 0, 1)]
/** A shorter gap is a pause, such as a building that was closed for months. */
const minGapMs = 180 * dayMs
/** Of a longer history, the gap has to be this long. */
const maxRequiredGapMs = 3 * yearMs
/** More rows than these, or than 1 % of all, are a part of the series: a gap before them is a long pause. */
const maxStrays = 100
/** Of fewer times none can be called the main part. */
const minTimes = 20

/**
 * Separates the main part of a series from a few stray times at its ends, such as a row with a mistyped year: at most
 * 1 % of the times, beyond a gap that is longer than half a year and than the main part.
 */
export function findMainTimes(times: Float64Array): MainTimes {
  const { fromMs, toMs } = rangeOf(times)
  const isClose = toMs - fromMs <= minGapMs && fromMs >= firstMs && toMs < endMs
  if (times.length === 0 || isClose) return { fromMs, toMs, before: null, after: null }
  const sorted = times.toSorted()
  const [start, end] = trimStrays(sorted)
  const [first, last] = start < end ? [sorted[start], sorted[end - 1]] : []
  const strays = (count: number, farthest = 0, nearest = 0, main?: number): StrayTimes | null =>
    count === 0 ? null : { count, farthestMs: farthest, gapMs: main === undefined ? null : Math.abs(nearest - main) }
  return {
    fromMs: first ?? Number.POSITIVE_INFINITY,
    toMs: last ?? Number.NEGATIVE_INFINITY,
    before: strays(start, sorted[0], sorted[start - 1], first),
    after: strays(sorted.length - end, sorted.at(-1), sorted[end], last),
  }
}

/** Returns the first index of the main part of sorted times, and the one after its last. */
function trimStrays(sorted: Float64Array): [start: number, end: number] {
  const [from, to] = [countBelow(sorted, firstMs), countBelow(sorted, endMs)]
  const length = to - from
  if (length < minTimes) return [from, to]
  const most = Math.max(1, Math.min(maxStrays, Math.floor(length / 100)))
  const middleMs = (sorted[to - 1 - most] ?? 0) - (sorted[from + most] ?? 0)
  const requiredMs = Math.max(minGapMs, Math.min(middleMs, maxRequiredGapMs))
  const isGap = (index: number): boolean => (sorted[index] ?? 0) - (sorted[index - 1] ?? 0) > requiredMs
  let [start, end] = [from, to]
  for (let index = from + 1; index <= from + most; index += 1) if (isGap(index)) start = index
  for (let index = to - 1; index >= to - most; index -= 1) if (isGap(index)) end = index
  return [start, end]
}

function rangeOf(times: Float64Array): { fromMs: number; toMs: number } {
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const time of times) {
    if (time < fromMs) fromMs = time
    if (time > toMs) toMs = time
  }
  return { fromMs, toMs }
}

function countBelow(sorted: Float64Array, limit: number): number {
  const index = sorted.findIndex((time) => time >= limit)
  return index < 0 ? sorted.length : index
}

/** Describes strays for a user: "1 row was left out: 2034-02-11 is 10 years after the others." */
export function describeStrays({ before, after }: MainTimes): string[] {
  return [
    ...(before === null ? [] : [describe(before, 'before')]),
    ...(after === null ? [] : [describe(after, 'after')]),
  ]
}

function describe({ count, farthestMs, gapMs }: StrayTimes, side: 'before' | 'after'): string {
  const date = new Date(farthestMs).toISOString().slice(0, 10)
  const rows = count === 1 ? '1 row was left out' : `${count.toLocaleString('en')} rows were left out`
  if (gapMs === null) return `${rows}: the years 1900 to 2199 are used, and a time is ${date}.`
  const distance = gapMs >= 2 * yearMs ? `${Math.round(gapMs / yearMs)} years` : `${Math.round(gapMs / dayMs)} days`
  return count === 1
    ? `${rows}: ${date} is ${distance} ${side} the others.`
    : `${rows}: they are ${distance} or more ${side} the others, such as ${date}.`
}
