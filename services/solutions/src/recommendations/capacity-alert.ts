import { probabilityAbove } from '../forecast/profile.ts'
import type { ComingPeriod, Frequency, SeriesProfile } from '../forecast/shapes.ts'
import type { Recommendation, RecommendInput } from './recommendation.ts'
import { upperOf } from './weekday-demand.ts'
import { figure, joinAnd, nameOf, peakName, percent, periodText, windowOf, written } from './wording.ts'

/** Days that the text lists by date. */
const maxListed = 5

/** A forecast above so many times the second-highest value of the last weeks rests on one, which may be an error. */
const mostGrowth = 2

/**
 * Warns of days (or weeks) on which the upper bound of the 80 % interval reaches the capacity. The forecast is the one
 * without the bound of the capacity. Incomplete days and holidays count too: a full building is full on any day. There
 * is no alert of a group without any place, nor of a forecast that rests on one high value.
 */
export function alertCapacity({ profiles, frequency }: RecommendInput): Recommendation[] {
  return profiles.flatMap((profile) => {
    if (profile?.capacity === undefined || profile.capacity <= 0) return []
    const { capacity } = profile
    const [, second = Number.POSITIVE_INFINITY] = profile.past.map(({ peak }) => peak).sort((a, b) => b - a)
    if (profile.coming.some(({ peak }) => peak > mostGrowth * second)) return []
    const full = profile.coming.filter((period) => upperOf(period) >= capacity)
    return full.length === 0 ? [] : [describe(profile, capacity, full, frequency)]
  })
}

function describe(
  { key }: SeriesProfile,
  capacity: number,
  full: readonly ComingPeriod[],
  frequency: Frequency,
): Recommendation {
  const worst = full.reduce((most, period) => (upperOf(period) > upperOf(most) ? period : most))
  const upper = upperOf(worst)
  const probability = probabilityAbove(worst, capacity)
  const excess = upper - capacity
  const name = nameOf(key, 'The')
  const listed = full.slice(0, maxListed).map(periodText)
  const more = full.length - listed.length
  const others = more > 0 ? [`${more} more ${frequency === 'week' ? 'week' : 'day'}${more === 1 ? '' : 's'}`] : []
  return {
    kind: 'capacity_alert',
    key,
    title: `${name} may be full${frequency === 'week' ? '' : ` on ${periodText(worst)}`}`,
    rationale:
      `${peakName(frequency)} of ${periodText(worst)} needs room for ${figure(worst.peak)}, and on 9 days of 10 for at most ` +
      `${figure(upper)}: ${overText(written(upper) - written(capacity))} the capacity of ${figure(capacity)}, at which the forecast ends. The ` +
      `probability that it is reached is ${percent(probability)}. Affected: ${joinAnd([...listed, ...others])}. ` +
      'Consider opening more space, or asking teams to come on other days.',
    figures: {
      capacity,
      peak_forecast: worst.peak,
      peak_upper: upper,
      excess,
      probability,
      periods: full.length,
    },
    window: windowOf(full),
    expectedEffect: {
      description: `With space for ${figure(Math.max(upper, capacity))} there is room for everyone on 9 days of 10.`,
      quantity: excess,
      unit: 'over_capacity',
    },
    confidence: probability,
    severity: probability + excess / capacity,
  }
}

const overText = (excess: number): string => (excess > 0 ? `${figure(excess)} above` : 'equal to')
