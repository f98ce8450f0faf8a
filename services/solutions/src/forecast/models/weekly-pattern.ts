import { median } from '../statistics.ts'
import type { History } from './model.ts'

/** Weeks of history. */
const weeks = 10
/** Weight of another weekday with the same profile, and the tolerated difference in units of scatter. */
const otherWeekday = 0.5
const likeness = 1.5
const leastWeight = 0.02
/** Weight of the hours before and after. */
const neighbour = 0.1
/** Quantiles between which the mean is taken, to exclude events and outages. */
const trim = [0.2, 0.8] as const

/**
 * Returns the usual value of each slot of the week. It is a trimmed, recency-weighted mean that includes weekdays with
 * a similar profile: five similar workdays contain five times as much information about nine o'clock as Mondays alone.
 * @param halfLifeWeeks the age at which a week has half the weight
 */
export function weeklyPattern(history: History, halfLifeWeeks: number): Float64Array {
  const { season, day } = history.calendar
  const alike = weekdayLikeness(history)
  const recent = lastWeeks(history, halfLifeWeeks)
  const byHour = samplesByHour(recent, day)
  return Float64Array.from({ length: season }, (_, slot) =>
    trimmedMean(byHour[slot % day] ?? [], recent, alike[Math.floor(slot / day)] ?? []),
  )
}

/** The values of the last weeks, with the weight of their age, their weekday and their hour. */
interface RecentValues {
  values: Float64Array
  recency: Float64Array
  weekdays: Uint8Array
  hours: Uint8Array
}

function lastWeeks({ values, first, calendar }: History, halfLifeWeeks: number): RecentValues {
  const { season, day, slotOf } = calendar
  const from = Math.max(0, values.length - weeks * season)
  const length = values.length - from
  const recency = new Float64Array(length)
  const weekdays = new Uint8Array(length)
  const hours = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) {
    const slot = slotOf(first + from + index)
    recency[index] = 0.5 ** (Math.floor((length - 1 - index) / season) / halfLifeWeeks)
    weekdays[index] = Math.floor(slot / day)
    hours[index] = slot % day
  }
  return { values: values.subarray(from), recency, weekdays, hours }
}

/** The index of a value, and its weight for an hour: less if it is of the hour before or after. */
interface Sample {
  index: number
  weight: number
}

/** Returns the samples of each hour of the day, ascending by value. */
function samplesByHour({ values, recency, hours }: RecentValues, day: number): Sample[][] {
  const byHour = Array.from({ length: day }, (): Sample[] => [])
  const ascending = Uint32Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  for (const index of ascending) {
    const hour = hours[index] ?? 0
    const weight = recency[index] ?? 0
    byHour[hour - 1]?.push({ index, weight: weight * neighbour })
    byHour[hour]?.push({ index, weight })
    byHour[hour + 1]?.push({ index, weight: weight * neighbour })
  }
  return byHour
}

/** Returns the values of one slot over the last eight weeks, most recent first. */
function recentOf({ values, first, calendar }: History, slot: number): number[] {
  const { season, slotOf } = calendar
  const sinceSlot = (slotOf(first + values.length - 1) - slot + season) % season
  const recent: number[] = []
  for (let index = values.length - 1 - sinceSlot; index >= 0 && recent.length < 8; index -= season) {
    recent.push(values[index] ?? 0)
  }
  return recent
}

/**
 * Returns the weight of each weekday for each other: 1 for itself, less the more their profiles differ. Differences are
 * in units of the scatter of a weekday's own values: below it two weekdays are indistinguishable and improve each
 * other's estimate; above it they would bias it.
 */
function weekdayLikeness(history: History): number[][] {
  const { day, season } = history.calendar
  const usual: number[][] = []
  const scatter: number[] = []
  for (let weekday = 0; weekday < season / day; weekday += 1) {
    const slots = Array.from({ length: day }, (_, hour) => recentOf(history, weekday * day + hour))
    const medians = slots.map(median)
    usual.push(medians)
    scatter.push(sum(slots.map((seen, hour) => median(seen.map((value) => Math.abs(value - (medians[hour] ?? 0)))))))
  }
  return usual.map((mine, a) =>
    usual.map((theirs, b) => {
      if (a === b) return 1
      const apart = sum(mine.map((value, hour) => Math.abs(value - (theirs[hour] ?? 0))))
      const noise = ((scatter[a] ?? 0) + (scatter[b] ?? 0)) / 2
      const weight = apart === 0 ? otherWeekday : otherWeekday * Math.exp(-((apart / noise / likeness) ** 2))
      return weight < leastWeight ? 0 : weight
    }),
  )
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** @param alike the weight of each weekday */
function trimmedMean(samples: readonly Sample[], { values, weekdays }: RecentValues, alike: readonly number[]): number {
  let total = 0
  for (const { index, weight } of samples) total += weight * (alike[weekdays[index] ?? 0] ?? 0)
  const from = trim[0] * total
  const to = trim[1] * total
  let passed = 0
  let kept = 0
  let sum = 0
  for (const { index, weight } of samples) {
    const begins = Math.max(passed, from)
    passed += weight * (alike[weekdays[index] ?? 0] ?? 0)
    const inside = Math.min(passed, to) - begins
    if (inside > 0) {
      sum += (values[index] ?? 0) * inside
      kept += inside
    }
    if (passed >= to) break
  }
  return kept > 0 ? sum / kept : 0
}
