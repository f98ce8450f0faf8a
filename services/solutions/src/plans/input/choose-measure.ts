import { median } from '../../forecast/statistics.ts'
import { peopleOf, type ShownDay } from '../../utilization/shown-day.ts'
import type { PlanMeasure, PlannedSpace } from './plan-input.ts'

/** Returns the days of a space with their people by the measure that tells of more of them. */
export function daysByMeasure(days: readonly ShownDay[]): Pick<PlannedSpace, 'measure' | 'days'> {
  const measure = chooseMeasure(days)
  return { measure, days: days.map((day) => ({ ...peopleOf(day, measure), hours: day.hours })) }
}

/**
 * Chooses the most people at a moment where counters measure a space, or floors in it, on most days, and more are there
 * at once than badges and lists name on the whole day: neither is more than those who came, so the higher one is
 * nearer.
 */
function chooseMeasure(days: readonly ShownDay[]): PlanMeasure {
  const counted = days.filter(({ source, isRaised }) => source === 'counts' || isRaised)
  if (2 * counted.length <= days.length) return 'attendance'
  const usual = (measure: PlanMeasure) => median(counted.map((day) => peopleOf(day, measure).people ?? 0))
  return usual('peak') > usual('attendance') ? 'peak' : 'attendance'
}
