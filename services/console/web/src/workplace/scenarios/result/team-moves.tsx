import { useState } from 'react'
import { Button } from '../../../ui/button/button.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { Card } from '../../../ui/page/page.tsx'
import { dayNames, type Weekday } from '../../buildings/space-words.ts'
import styles from '../scenarios.module.css'
import type { ScenarioResult, Workplace } from '../workplace.ts'

type Team = ScenarioResult['teams'][number]

/** The teams, or people of floors, of which some move: where they sit today, and on each weekday; all on request. */
export function TeamMoves({
  result: { teams, floors, weekdays, before, moved_people: movedPeople },
  shorten,
  workplace,
}: {
  result: ScenarioResult
  shorten: (text: string) => string
  workplace: Workplace
}) {
  const [isAll, setAll] = useState(false)
  const isOfTeams = teams.some(({ team_id: id }) => id !== null)
  const noun = isOfTeams ? 'team' : 'group'
  const moving = teams.filter(({ moved_people: moved }) => moved > 0).sort((a, b) => b.moved_people - a.moved_people)
  const shown = isAll ? teams : moving
  const floorNames = new Map(floors.map(({ space_id: id, name }) => [id, shorten(name)]))
  const homes = new Map(workplace.teams.map(({ id, home_space_id: home }) => [id, home]))
  const homeOf = ({ team_id: team, space_id: space }: Team) => {
    const home = team === null ? space : homes.get(team)
    if (home == null || (team === null && !floorNames.has(home))) return '–'
    const floor = workplace.floorOf(home) ?? home
    return floorNames.get(floor) ?? workplace.floorName(floor, null)
  }
  return (
    <Card
      title={isOfTeams ? 'Teams that move' : 'People who move'}
      description={
        moving.length === 0
          ? before === null
            ? 'Where people sit today is not known.'
            : 'All stay where they are.'
          : `${formatCount(moving.length, noun)} of ${teams.length}. Under its name, where a ${noun} sits today; then how many move on the weekday on which most do, and its places by floor.`
      }
      actions={
        teams.length > moving.length && (
          <Button size="small" onClick={() => setAll(!isAll)}>
            {isAll ? 'Those that move' : `All ${formatCount(teams.length, noun)}`}
          </Button>
        )
      }
      isFlush={shown.length > 0}
    >
      {shown.length > 0 && (
        <section className={styles.scroll} tabIndex={0} aria-label="Who sits where">
          <table className={styles.seats}>
            <thead>
              <tr>
                <th scope="col">{isOfTeams ? 'Team' : 'People'}</th>
                <th scope="col" className={styles.end}>
                  Move
                </th>
                {weekdays.map((day) => (
                  <th key={day} scope="col">
                    <abbr title={dayNames[day]}>{dayNames[day].slice(0, 3)}</abbr>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((team) => (
                <tr key={`${team.team_id} ${team.name}`}>
                  <th scope="row" title={team.name}>
                    {ownName(team, teams)}
                    <small>{homeOf(team)}</small>
                  </th>
                  <td className={styles.end}>{team.moved_people}</td>
                  {weekdays.map((day) => (
                    <td key={day}>{seatsText(team, day, floorNames)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Together</th>
                <td className={styles.end}>{movedPeople}</td>
                <td colSpan={weekdays.length} />
              </tr>
            </tfoot>
          </table>
        </section>
      )}
    </Card>
  )
}

/** Returns the last part of the path of a team, or the whole path where two end alike. */
function ownName({ name }: Team, teams: readonly Team[]): string {
  const last = name.split(' / ').at(-1) ?? name
  return teams.some((other) => other.name !== name && other.name.split(' / ').at(-1) === last) ? name : last
}

const seatsText = ({ seats }: Team, day: Weekday, names: ReadonlyMap<string, string>): string =>
  seats
    .filter(({ weekday }) => weekday === day)
    .map(({ space_id: id, places }) => `${names.get(id) ?? id}: ${places}`)
    .join(', ') || '–'
