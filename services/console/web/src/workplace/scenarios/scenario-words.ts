import { formatCount, formatNumber, formatPercent } from '../../ui/format/format.ts'
import { dayNames, type Weekday, weekdays } from '../buildings/space-words.ts'
import type { ScenarioDetail, Workplace } from './workplace.ts'

/** Formats a share of days that is kept, rounded down: 99.97 % are not all days. */
export const formatKept = (share: number): string => formatPercent(Math.floor(1000 * share + 1e-6) / 1000, 1)

/** Joins words: `A, B and C`. */
export const joinWords = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`

/** Returns days in words: `all week`, `on Fridays`. @param open the weekdays of the building */
export const daysText = (days: readonly Weekday[], open: readonly Weekday[]): string =>
  open.every((day) => days.includes(day)) ? 'all week' : `on ${joinWords(days.map((day) => `${dayNames[day]}s`))}`

/** Returns what all names begin with, up to a slash: `Berlin / ` of `Berlin / Floor 1` and `Berlin / Floor 2`. */
export function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names
  const parts = first.split(' / ').slice(0, -1)
  while (parts.length > 0 && !others.every((name) => name.startsWith(`${parts.join(' / ')} / `))) parts.pop()
  return parts.length === 0 ? '' : `${parts.join(' / ')} / `
}

export const objectiveNames = {
  lowest_cost: 'Lowest cost',
  fewest_floors: 'Fewest floors',
  least_moves: 'Fewest people who move',
} as const

type Changes = ScenarioDetail['changes']

/** Returns changes with every list, an empty one where nothing changes. */
export const allChanges = (changes: Changes) => ({
  close_spaces: changes.close_spaces ?? [],
  headcount: changes.headcount ?? [],
  attendance: changes.attendance ?? [],
  capacity: changes.capacity ?? [],
  cost: changes.cost ?? [],
})

const maxNamed = 2

/** Returns what a scenario changes, a few words each: `Floor 3 closed on Fridays`, `10 % more people`. */
export function describeChanges(
  { changes: given, space_id: within }: Pick<ScenarioDetail, 'changes' | 'space_id'>,
  { floorName, teamName }: Workplace,
  open: readonly Weekday[] = weekdays.slice(0, 5),
): string[] {
  const changes = allChanges(given)
  const teamText = (id: string | undefined) => (id === undefined ? '' : `${teamName(id)}: `)
  return [
    ...changes.close_spaces.map(
      ({ space_id: id, weekdays: days = weekdays }) => `${floorName(id, within)} closed ${daysText(days, open)}`,
    ),
    ...changes.headcount.map(({ team_id: id, percent, number }) =>
      percent === undefined
        ? `${teamText(id)}${formatNumber(number ?? 0)} people`
        : `${teamText(id)}${formatNumber(Math.abs(percent))}\u00a0% ${percent < 0 ? 'fewer' : 'more'} people`,
    ),
    ...changes.attendance.flatMap(({ team_id: id, min_days: least, fixed_days: fixed = [], stagger = false }) => [
      ...(least === undefined ? [] : [`${teamText(id)}at least ${formatNumber(least)} days a week`]),
      ...(fixed.length === 0 ? [] : [`${teamText(id)}all come ${daysText(fixed, open)}`]),
      ...(stagger ? [`${teamText(id)}spread over the week`] : []),
    ]),
    ...changes.capacity.map(
      ({ space_id: id, capacity }) => `${floorName(id, within)} with ${formatCount(capacity, 'place')}`,
    ),
    ...changes.cost.map(({ space_id: id }) => `other costs of ${floorName(id, within)}`),
  ]
}

/** Returns a name for a scenario that says what is asked. */
export function suggestName(
  asked: Pick<ScenarioDetail, 'changes' | 'space_id'>,
  workplace: Workplace,
  open?: readonly Weekday[],
): string {
  const place = asked.space_id === null ? 'All buildings' : workplace.nameOf(asked.space_id)
  const changes = describeChanges(asked, workplace, open)
  const shown = changes.slice(0, maxNamed)
  const more = changes.length > maxNamed ? ` and ${changes.length - maxNamed} more` : ''
  return `${place}: ${changes.length === 0 ? 'floors that can close' : shown.join(', ') + more}`.slice(0, 200)
}
