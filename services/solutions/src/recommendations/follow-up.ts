import type { PastPeriod, SeriesProfile } from '../forecast/shapes.ts'
import type { Recommendation, Window } from './recommendation.ts'
import { weekdayName } from './wording.ts'

/** The state of an accepted recommendation: did it happen? */
export interface FollowUp {
  status: 'pending' | 'happened' | 'did_not_happen' | 'unknown'
  checked_at: string | null
  figures: Record<string, number | string>
}

export const pendingFollowUp: FollowUp = { status: 'pending', checked_at: null, figures: {} }

/** The share of the reference at most which a group counts as closed. */
export const emptyShare = 0.1

/**
 * Compares an accepted recommendation with the actual values of a later run. A closed group must have been nearly
 * empty, a partly closed one below the threshold; a capacity must have been reached; the meals must have been enough.
 * @returns null while the actual values do not cover the window; `unknown` if none of its days has values
 */
export function followUp(
  recommendation: Pick<Recommendation, 'kind' | 'figures'> & { window: Window },
  { past }: SeriesProfile,
  now: Date,
): FollowUp | null {
  const { from, until, weekdays } = recommendation.window
  if ((past.at(-1)?.endMs ?? 0) < Date.parse(until)) return null
  const days = past.filter(
    ({ startMs, endMs, weekday, isObserved }) =>
      isObserved &&
      startMs >= Date.parse(from) &&
      endMs <= Date.parse(until) &&
      (weekday === null || weekdays.includes(weekdayName(weekday).toLowerCase())),
  )
  const checked = { checked_at: now.toISOString() }
  if (days.length === 0) return { status: 'unknown', ...checked, figures: { days: 0 } }
  const peak = Math.max(...days.map((day) => day.peak))
  const { happened, limit } = judge(recommendation, days, peak)
  return {
    status: happened ? 'happened' : 'did_not_happen',
    ...checked,
    figures: { days: days.length, peak_actual: peak, ...(limit === undefined ? {} : { limit }) },
  }
}

function judge(
  { kind, figures }: Pick<Recommendation, 'kind' | 'figures'>,
  days: readonly PastPeriod[],
  peak: number,
): { happened: boolean; limit?: number } {
  const numberOf = (name: string): number => Number(figures[name] ?? Number.NaN)
  if (kind === 'capacity_alert') return { happened: peak >= numberOf('capacity'), limit: numberOf('capacity') }
  if (kind === 'service_level') {
    const mealsOn = (day: PastPeriod): number => numberOf(`meals_${weekdayName(day.weekday ?? 0).toLowerCase()}`)
    return { happened: days.every((day) => day.peak <= mealsOn(day)) }
  }
  const reference = numberOf(figures.capacity === undefined ? 'peak_usual' : 'capacity')
  const limit = (figures.moved_to === undefined ? numberOf('threshold') : emptyShare) * reference
  return { happened: peak <= limit, limit }
}
