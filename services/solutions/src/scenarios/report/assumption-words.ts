import { textFor } from '../../content/reader-text.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import { formatMoney, formatShare, listDays } from '../result/words.ts'
import type { AskedScenario } from '../scenario-job.ts'
import type { ScenarioReport } from './scenario-report.ts'

const objectives: Record<AskedScenario['objective'], string> = {
  lowest_cost: 'Lowest cost: the costs that end with a closed day',
  fewest_floors: 'Fewest floors, and of equal numbers the fewest days on which they are open',
  least_moves: 'Fewest people who sit on another floor than today',
}

/** Returns the assumptions of a scenario: a label and a text each. The first of several of one kind has the label. */
export function assumptionsOf(report: ScenarioReport, maxChanges: number): [label: string, text: string][] {
  const { asked, result } = report
  const changes = changesOf(report)
  const hidden = changes.length - maxChanges
  const lines: [string, string][] = [
    ['Forecast', forecastBasis(report)],
    ['Site or building', siteOf(report)],
    ['Objective', objectives[asked.objective]],
    ['Everyone has a place', `Promised on ${formatShare(asked.service_level)} of days`],
    ...(result.gap === null ? [] : [gapLine(result.gap, asked.time_limit_seconds)]),
    ...(changes.length === 0 ? [['Changes', 'None: the demand and the floors of today'] as [string, string]] : []),
    ...changes.slice(0, maxChanges).map((text, at): [string, string] => [at === 0 ? 'Changes' : '', text]),
    ...(hidden > 0
      ? [[maxChanges === 0 ? 'Changes' : '', `${hidden} more, which the scenario states`] as [string, string]]
      : []),
  ]
  const { sentence } = textFor(report.locale)
  return lines.map(([label, text]) => [label, sentence(text)])
}

const gapLine = (gap: number, seconds: number): [string, string] => [
  'Quality of the plan',
  gap === 0
    ? 'No better one was found'
    : `Within ${formatShare(gap)} of what the search of up to ${seconds} s holds possible`,
]

/** Returns the name of the site or building that is planned. */
export const siteOf = ({ asked: { space_id: id }, names }: ScenarioReport): string =>
  id === null ? 'All sites' : (names.get(id) ?? id)

/** Returns the period that the base forecast covers. */
export function forecastBasis({ forecast }: ScenarioReport): string {
  if (forecast === null) return 'Forecast that is not kept any more'
  const { historyUntil, days } = forecast
  const last = dayOf(historyUntil)
  return `Forecast of ${days} days, ${formatDay(dateOf(last + 1))} to ${formatDay(dateOf(last + days))}, from data until ${formatDay(historyUntil)}`
}

const dayFormat = { day: 'numeric', month: 'long', year: 'numeric' } as const

const formatDay = (date: string): string => formatTime(new Date(`${date}T00:00:00Z`), 'UTC')

/** Formats the day of a time in a zone: `28 November 2026`. */
export const formatTime = (time: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...dayFormat, timeZone }).format(time)

function changesOf({ asked: { changes }, names, currencies }: ScenarioReport): string[] {
  const nameOf = (id: string) => names.get(id) ?? id
  const teamOf = (id: string | undefined) => (id === undefined ? 'All teams' : nameOf(id))
  return [
    ...changes.close_spaces.map(
      ({ space_id: id, weekdays }) =>
        `${nameOf(id)} is closed${weekdays === undefined ? ' all week' : ` on ${listDays(weekdays)}`}`,
    ),
    ...changes.headcount.map(({ team_id: id, percent, number }) =>
      number === undefined
        ? `${teamOf(id)}: ${Math.abs(percent ?? 0)} % ${(percent ?? 0) < 0 ? 'fewer' : 'more'} people`
        : `${teamOf(id)}: ${number} people`,
    ),
    ...changes.attendance.map(({ team_id: id, min_days: days, fixed_days: fixed, stagger }) => {
      const rules = [
        ...(days === undefined ? [] : [`at least ${days} days a week`]),
        ...(fixed === undefined ? [] : [`all members on ${listDays(fixed)}`]),
        ...(stagger === true ? ['spread evenly over the weekdays'] : []),
      ]
      return `${teamOf(id)}: attendance ${rules.length === 0 ? 'as today' : rules.join('; ')}`
    }),
    ...changes.capacity.map(
      ({ space_id: id, capacity }) => `${nameOf(id)} has ${capacity.toLocaleString('en')} places`,
    ),
    ...changes.cost.map(({ space_id: id, annual_cost: cost, avoidable_share: share }) => {
      const currency = currencies.get(id)
      const parts = [
        ...(cost === undefined
          ? []
          : [`costs ${currency === undefined ? `${cost} minor units` : formatMoney(cost, currency)} a year`]),
        ...(share === undefined ? [] : [`${formatShare(share)} of its cost ends with a closed day`]),
      ]
      return `${nameOf(id)} ${parts.join('; ')}`
    }),
  ]
}
