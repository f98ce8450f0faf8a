import type { ScenarioResult } from '../scenario-job.ts'

/** Results of earlier releases state the sum over the teams, each on its own fullest weekday. */
const formerCount = /\b\d+ people sit elsewhere/

export const movers = (moved: number): string =>
  moved === 0 ? 'no one moves' : `up to ${moved} people a day sit elsewhere`

/** Returns true if people who move may be that sum, as far as a result without its teams tells. */
export const isFormerCount = ({ moved_people: moved, conclusion }: ScenarioResult): boolean =>
  moved > 0 && !conclusion.includes(movers(moved))

/** Returns a stored result whose people who move are those of the weekday on which most do: at most so many. */
export function withMovedPeople(result: ScenarioResult): ScenarioResult {
  const [, moved] = movedBounds(result)
  return { ...result, moved_people: moved, conclusion: result.conclusion.replace(formerCount, movers(moved)) }
}

/** Returns the people who move of a stored result; null if they cannot be told exactly. */
export function exactlyMoved(result: ScenarioResult): number | null {
  const [least, most] = movedBounds(result)
  return least === most ? most : null
}

function movedBounds(result: ScenarioResult): [least: number, most: number] {
  const { teams, weekdays, moved_people: stored } = result
  const sum = teams.reduce((total, team) => total + team.moved_people, 0)
  if (stored < sum || !isFormerCount(result)) return [stored, stored]
  const byTeam = teams.filter(({ moved_people: moved }) => moved > 0).map(movedByHome)
  const onFullest = (pick: (...of: number[]) => number) =>
    Math.max(...weekdays.map((day) => byTeam.reduce((total, moved) => total + pick(...moved(day)), 0)))
  return [onFullest(Math.min), onFullest(Math.max)]
}

/**
 * Returns the people of a team who sit on another floor than today on a weekday, for each floor that may be its one of
 * today, which is not stored: with which the most on a weekday are as stored.
 */
function movedByHome({ space_id: space, seats, moved_people: most }: ScenarioResult['teams'][number]) {
  const movedFrom = (home: string | null, day: string) =>
    seats.reduce((sum, seat) => sum + (seat.weekday === day && seat.space_id !== home ? seat.places : 0), 0)
  const days = [...new Set(seats.map(({ weekday }) => weekday))]
  const homes = space === null ? [null, ...new Set(seats.map((seat) => seat.space_id))] : [space]
  const likely = homes.filter((home) => Math.max(...days.map((day) => movedFrom(home, day))) === most)
  return (day: string): number[] => (likely.length === 0 ? [0, most] : likely.map((home) => movedFrom(home, day)))
}
