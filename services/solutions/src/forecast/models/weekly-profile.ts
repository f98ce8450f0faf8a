import { median } from '../statistics.ts'
import type { History, Model } from './model.ts'

/** Weeks of history, and the age at which a week has half the weight. */
const weeks = 10
const halfLifeWeeks = 2
/** Weight of another weekday with the same profile, and the tolerated difference in units of scatter. */
const otherWeekday = 0.5
const likeness = 1.5
/** Weight of the hours before and after. */
const neighbour = 0.1
/** Quantiles between which the mean is taken, to exclude events and outages. */
const trim = [0.2, 0.8] as const
/** The share of a level change in the last week that is extrapolated. */
const damping = 0.6

/**
 * Predicts the usual week. Each slot is a trimmed, recency-weighted mean that includes weekdays with a similar profile: five
 * similar workdays contain five times as much information about nine o'clock as Mondays alone.
 */
export function weeklyProfile(): Model {
  return { name: 'weekly_profile', needs: 1, predict }
}

/** The weekly profile, scaled by the damped ratio of the last seven days to the profile. */
export function weeklyProfileLevel(): Model {
  return {
    name: 'weekly_profile_level',
    needs: 1,
    predict: (history, cells) => {
      const { values, calendar } = history
      const usual = predict(history, calendar.season).reduce((sum, value) => sum + value, 0)
      const recent = values.slice(-calendar.season).reduce((sum, value) => sum + value, 0)
      const ratio = usual > 0 && recent > 0 ? Math.min(2, Math.max(0.5, recent / usual)) : 1
      return predict(history, cells).map((value) => value * ratio ** damping)
    },
  }
}

function predict(history: History, cells: number): Float64Array {
  const { season } = history.calendar
  const next = history.first + history.values.length
  const alike = weekdayLikeness(history)
  const pattern = new Map<number, number>()
  return Float64Array.from({ length: cells }, (_, ahead) => {
    const slot = history.calendar.slotOf(next + (ahead % season))
    const known = pattern.get(slot)
    if (known !== undefined) return known
    const value = slotValue(history, slot, alike)
    pattern.set(slot, value)
    return value
  })
}

function slotValue(history: History, slot: number, alike: number[][]): number {
  const { day } = history.calendar
  const weekday = Math.floor(slot / day)
  const hour = slot % day
  const samples: Sample[] = []
  for (let other = 0; other < 7; other += 1) {
    const weight = alike[weekday]?.[other] ?? 0
    if (weight < 0.02) continue
    addSamples(samples, history, other * day + hour, weight)
    if (hour > 0) addSamples(samples, history, other * day + hour - 1, weight * neighbour)
    if (hour < day - 1) addSamples(samples, history, other * day + hour + 1, weight * neighbour)
  }
  return trimmedMean(samples)
}

interface Sample {
  value: number
  weight: number
}

function addSamples(samples: Sample[], history: History, slot: number, weight: number): void {
  recentOf(history, slot).forEach((value, age) => {
    samples.push({ value, weight: weight * 0.5 ** (age / halfLifeWeeks) })
  })
}

/** Returns the values of one slot over the last weeks, most recent first. */
function recentOf({ values, first, calendar }: History, slot: number): number[] {
  const { season, slotOf } = calendar
  const sinceSlot = (slotOf(first + values.length - 1) - slot + season) % season
  const recent: number[] = []
  for (let index = values.length - 1 - sinceSlot; index >= 0 && recent.length < weeks; index -= season) {
    recent.push(values[index] ?? 0)
  }
  return recent
}

/**
 * Returns the weight of each weekday for each other: 1 for itself, less the more their profiles differ. Differences are in
 * units of the scatter of a weekday's own values: below it two weekdays are indistinguishable and improve each other's
 * estimate; above it they would bias it.
 */
function weekdayLikeness(history: History): number[][] {
  const { day } = history.calendar
  const usual: number[][] = []
  const scatter: number[] = []
  for (let weekday = 0; weekday < 7; weekday += 1) {
    const slots = Array.from({ length: day }, (_, hour) => recentOf(history, weekday * day + hour).slice(0, 8))
    const medians = slots.map(median)
    usual.push(medians)
    scatter.push(
      sum(slots.map((values, hour) => median(values.map((value) => Math.abs(value - (medians[hour] ?? 0)))))),
    )
  }
  return usual.map((mine, a) =>
    usual.map((theirs, b) => {
      if (a === b) return 1
      const apart = sum(mine.map((value, hour) => Math.abs(value - (theirs[hour] ?? 0))))
      const noise = ((scatter[a] ?? 0) + (scatter[b] ?? 0)) / 2
      return apart === 0 ? otherWeekday : otherWeekday * Math.exp(-((apart / noise / likeness) ** 2))
    }),
  )
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function trimmedMean(samples: Sample[]): number {
  samples.sort((a, b) => a.value - b.value)
  const total = samples.reduce((sum, { weight }) => sum + weight, 0)
  const from = trim[0] * total
  const to = trim[1] * total
  let passed = 0
  let sum = 0
  let kept = 0
  for (const { value, weight } of samples) {
    const begins = Math.max(passed, from)
    passed += weight
    const inside = Math.min(passed, to) - begins
    if (inside > 0) {
      sum += value * inside
      kept += inside
    }
    if (passed >= to) break
  }
  return kept > 0 ? sum / kept : 0
}
