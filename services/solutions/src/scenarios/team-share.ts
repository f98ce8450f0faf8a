import { type Weekday, weekdays } from '@wp/contracts'
import { median } from '../forecast/statistics.ts'
import type { PlacedTeam } from '../store/teams.ts'
import { dayOf, weekdayOf } from '../workplace/local-days.ts'
import { fullName, listNames, pathOf, type Tree } from '../workplace/tree.ts'
import type { ScenarioInput } from './scenario-input.ts'

/** Weeks before the forecast that are compared with it. */
export const comparedWeeks = 8

/** The share of the people counted in a space below which a scenario says that others are not planned for. */
export const minTeamShare = 0.9

/**
 * Returns the share of the people counted in a space who are in the forecast of its teams: the sum of the usual days of
 * a week, compared with those of the forecast. People of no team, or of one at home elsewhere, are not in it.
 *
 * @param counted by day; a space has one figure a day
 * @param forecast the people on a usual day of each weekday
 * @returns null without a counted day
 */
export function teamShareOf(
  counted: readonly { spaceId: string; day: string; attendance: number }[],
  forecast: Partial<Record<Weekday, number>>,
): number | null {
  let [inForecast, inSpaces] = [0, 0]
  const bySpace = Map.groupBy(counted, ({ spaceId }) => spaceId)
  for (const weekday of weekdays) {
    const usual = [...bySpace.values()].reduce((sum, days) => sum + usualOn(weekday, days), 0)
    if (usual === 0 || forecast[weekday] === undefined) continue
    inSpaces += usual
    inForecast += forecast[weekday]
  }
  return inSpaces === 0 ? null : inForecast / inSpaces
}

/** Returns the people of a forecast on a usual day of each weekday. */
export function forecastByWeekday({ teams, weekdays: open, weekdayOf: of, pathCount }: ScenarioInput) {
  const meanOf = (day: number) => {
    let people = 0
    for (const { paths } of teams)
      for (let at = day * pathCount; at < (day + 1) * pathCount; at++) people += paths[at] ?? 0
    return people / pathCount
  }
  return Object.fromEntries(
    open.map((weekday, at) => [weekday, median(of.flatMap((ofDay, day) => (ofDay === at ? [meanOf(day)] : [])))]),
  )
}

const usualOn = (weekday: Weekday, days: readonly { day: string; attendance: number }[]): number =>
  median(days.flatMap(({ day, attendance }) => (weekdayOf(dayOf(day)) === weekday ? [attendance] : [])))

/** The share of the people counted in a space above which a scenario says that it plans for more than come there. */
const maxTeamShare = 1.25

/** Returns the warning of a scenario that plans for a part of the people only, or for far more than come. */
export function teamShareWarnings(teamShare: number | null): string[] {
  if (teamShare === null || (teamShare >= minTeamShare && teamShare <= maxTeamShare)) return []
  const share = `${Math.round(teamShare * 100)} %`
  if (teamShare > maxTeamShare)
    return [
      `The forecast has ${share} of the people counted here: some of them come to other buildings, or readers were silent. Fewer places may be enough.`,
    ]
  return [
    `The forecast has ${share} of the people who were counted here. Places for the others, such as guests, people of no team and teams that are too small to be shown, are not planned: a list of people with their teams includes those it names.`,
  ]
}

/** Teams at home in a space, or floors of it, that are not planned. */
export type LeftOutTeams = readonly { name: string; headcount: number | null }[]

/** Returns the outermost teams at home in the space of whom the plan has no one, such as those that are too small. */
export function teamsLeftOut(
  planned: readonly { id: string }[],
  { teams, root, isWithin }: { teams: Tree<PlacedTeam>; root: string | null; isWithin: (spaceId: string) => boolean },
): LeftOutTeams {
  const ids = new Set(planned.map(({ id }) => id))
  const aroundPlanned = new Set(planned.flatMap(({ id }) => pathOf(teams, id).map((team) => team.id)))
  const isMissing = ({ id, headcount }: PlacedTeam) => {
    const path = pathOf(teams, id)
    const home = path.find(({ homeSpaceId }) => homeSpaceId !== null)?.homeSpaceId
    const isHere = home == null ? root === null : isWithin(home)
    return isHere && headcount !== 0 && !aroundPlanned.has(id) && !path.some((around) => ids.has(around.id))
  }
  const missing = teams.nodes.filter(isMissing)
  const missingIds = new Set(missing.map(({ id }) => id))
  return missing
    .filter(({ parentId }) => !missingIds.has(parentId ?? ''))
    .map(({ id, headcount }) => ({ name: fullName(pathOf(teams, id)), headcount }))
}

/** Returns which of the people a scenario is about; null if it is about all. */
export function describePeople(teamShare: number | null, leftOut: LeftOutTeams): string | null {
  const isPart = teamShare !== null && (teamShare < minTeamShare || (leftOut.length > 0 && teamShare < 0.995))
  const share = isPart ? [`for ${Math.round(teamShare * 100)} % of the people counted here`] : []
  const people = leftOut.reduce((sum, { headcount }) => sum + (headcount ?? 0), 0)
  const isKnown = leftOut.every(({ headcount }) => headcount !== null)
  const count = isKnown ? ` (${people} ${people === 1 ? 'person' : 'people'})` : ''
  const teams = leftOut.length === 0 ? [] : [`without ${listNames(leftOut.map(({ name }) => name))}${count}`]
  const about = [...share, ...teams].join(', ')
  return about === '' ? null : `${about.charAt(0).toUpperCase()}${about.slice(1)}`
}
