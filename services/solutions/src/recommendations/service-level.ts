import type { Frequency, SeriesProfile } from '../forecast/shapes.ts'
import type { Recommendation, RecommendInput } from './recommendation.ts'
import { openDemandsOf, probabilityBelow, type WeekdayDemand } from './weekday-demand.ts'
import { figure, nameOf, peakName, percent, weekdayName, weekdaysText, windowOf } from './wording.ts'

/** The share of the busiest weekday below which a weekday needs less service. */
const quietShare = 0.75
/** The share of the busiest weekday below which a day needs a reduced cleaning only. */
const cleaningShare = 0.5
/** The attendance of the busiest weekday below which service is not worth planning by weekday. */
const minAttendance = 10

/**
 * Recommends catering and cleaning by expected attendance for a group with weekdays that stay clearly below its busiest
 * one, both in the forecast and in the median of the last weeks. Closed weekdays, and those that a consolidation is
 * about, are left out, as are hourly arrivals: those of the busiest hour are fewer people than come on the day.
 * @param affected the weekdays of each series that a consolidation is about
 */
export function planService(
  { profiles, frequency }: RecommendInput,
  affected: ReadonlyMap<SeriesProfile, ReadonlySet<number>>,
): Recommendation[] {
  return profiles.flatMap((profile) => {
    if (profile === null || (frequency === 'hour' && profile.measure === 'flow')) return []
    const open = openDemandsOf(profile).filter(({ weekday }) => !affected.get(profile)?.has(weekday))
    const [first, ...others] = open
    if (first === undefined) return []
    const busiest = others.reduce((most, one) => (one.expected > most.expected ? one : most), first)
    const usual = Math.max(...open.map(({ typical }) => typical))
    const quiet = open.filter(
      ({ expected, typical }) => expected < quietShare * busiest.expected && typical < quietShare * usual,
    )
    if (busiest.expected < minAttendance || quiet.length === 0) return []
    return [describe(profile, open, quiet, busiest, frequency)]
  })
}

function describe(
  { key }: SeriesProfile,
  open: readonly WeekdayDemand[],
  quiet: readonly WeekdayDemand[],
  busiest: WeekdayDemand,
  frequency: Frequency,
): Recommendation {
  const name = nameOf(key)
  const meals = (demand: WeekdayDemand): number => Math.ceil(demand.upper)
  const saved = quiet.reduce((sum, demand) => sum + Math.max(0, meals(busiest) - meals(demand)), 0)
  const reduced = open.filter(({ expected }) => expected < cleaningShare * busiest.expected)
  const on = weekdaysText(quiet.map(({ weekday }) => weekday))
  const expectedText = open.map(({ weekday, expected }) => `${weekdayName(weekday)} ${figure(expected)}`).join(', ')
  const mealsText = quiet.map((demand) => `${figure(meals(demand))} on ${weekdaysText([demand.weekday])}`).join(', ')
  const cleaning =
    reduced.length === 0
      ? `Clean on all ${open.length} days.`
      : `A reduced cleaning is enough on ${weekdaysText(reduced.map(({ weekday }) => weekday))}.`
  return {
    kind: 'service_level',
    key,
    title: `Plan less service at ${name} on ${on}`,
    rationale:
      `${peakName(frequency)} is forecast at: ${expectedText}. ${on} stay under ${percent(quietShare)} of ` +
      `${weekdaysText([busiest.weekday])}, as in the last weeks. Order meals for ${mealsText} instead of ${figure(meals(busiest))} as on ` +
      `${weekdaysText([busiest.weekday])}; that is enough on 9 days of 10. ${cleaning}`,
    figures: {
      ...Object.fromEntries(
        open.flatMap((demand) => {
          const day = weekdayName(demand.weekday).toLowerCase()
          return [
            [`attendance_${day}`, demand.expected],
            [`meals_${day}`, meals(demand)],
          ]
        }),
      ),
      busiest_weekday: weekdayName(busiest.weekday).toLowerCase(),
      threshold: quietShare,
      cleaning_days: open.length - reduced.length,
      reduced_cleaning_days: reduced.length,
    },
    window: windowOf(quiet.flatMap(({ days }) => days)),
    expectedEffect: {
      description: `About ${figure(saved)} fewer meals a week${fewerCleanings(reduced.length)}.`,
      quantity: saved,
      unit: 'meals_per_week',
    },
    confidence: Math.min(...quiet.map((demand) => probabilityBelow(demand, quietShare * busiest.expected))),
    severity: quiet.reduce((sum, { expected }) => sum + 1 - expected / busiest.expected, 0),
  }
}

const fewerCleanings = (days: number): string =>
  days === 0 ? '' : `, and ${days} full ${days === 1 ? 'cleaning' : 'cleanings'} fewer`
