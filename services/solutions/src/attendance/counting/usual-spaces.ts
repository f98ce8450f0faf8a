import type { PrivacyRule } from '../../privacy/sensitive-cells.ts'
import type { DayOfWeek } from './count-day.ts'
import type { WeekContext } from './measures.ts'
import type { SuppressedWeek } from './suppress-week.ts'

/** A space is the usual one of a team that was there on this share of its days of attendance. */
const usualShare = 0.6

/**
 * Returns the space in which each team was on most of its days of a week: a site, a building or, if it is clear, a
 * floor. The week of neither the team nor the space is withheld, and as many people as the threshold were of the team
 * and there; of the team and elsewhere, or there and of no such team, as many or none.
 *
 * @param week different people of the week by position
 * @returns positions of spaces by that of the team; -1 for none
 */
export function findUsualSpaces(
  { spaces, teams }: Pick<WeekContext, 'spaces' | 'teams'>,
  days: readonly Pick<DayOfWeek, 'visitors'>[],
  week: { spaces: readonly number[]; teams: readonly number[] },
  { threshold, suppressed }: PrivacyRule & { suppressed: Pick<SuppressedWeek, 'weekSpaces' | 'weekTeams'> },
): Int32Array {
  const sizes = new Int32Array(teams.nodes.length)
  const counts = teams.nodes.map(() => new Map<number, number>())
  for (const { visitors } of days) {
    const teamsOf = new Map<number, number[]>()
    for (const [team, people] of visitors.teams) {
      sizes[team] = (sizes[team] ?? 0) + people.length
      for (const person of people) teamsOf.set(person, [...(teamsOf.get(person) ?? []), team])
    }
    for (const [space, people] of visitors.spaces)
      if (isPlace(spaces.nodes[space]?.kind))
        for (const person of people)
          for (const team of teamsOf.get(person) ?? []) counts[team]?.set(space, (counts[team].get(space) ?? 0) + 1)
  }
  const membersIn = (space: number, team: number) =>
    new Set(
      days.flatMap(({ visitors }) => {
        const present = new Set(visitors.teams.get(team))
        return (visitors.spaces.get(space) ?? []).filter((person) => present.has(person))
      }),
    ).size
  return Int32Array.from(counts, (ofTeam, team) => {
    if (suppressed.weekTeams(team)) return -1
    const most = [...ofTeam]
      .filter(([space, count]) => count >= usualShare * (sizes[team] ?? 0) && !suppressed.weekSpaces(space))
      .sort(([a, ofA], [b, ofB]) => depthOf(spaces.parents, b) - depthOf(spaces.parents, a) || ofB - ofA || a - b)
    const found = most.find(([space]) => {
      const there = membersIn(space, team)
      const others = [(week.teams[team] ?? 0) - there, (week.spaces[space] ?? 0) - there]
      return there >= threshold && others.every((people) => people === 0 || people >= threshold)
    })
    return found?.[0] ?? -1
  })
}

/** People have no seat in a zone or room that they pass through. */
const isPlace = (kind: string | undefined): boolean => kind === 'site' || kind === 'building' || kind === 'floor'

function depthOf(parents: Int32Array, space: number): number {
  let depth = 0
  for (let at = parents[space] ?? -1; at >= 0; at = parents[at] ?? -1) depth++
  return depth
}
