import { contentWidth } from '@wp/pdf'
import type { ScenarioResult } from '../../scenario-job.ts'
import { type Flow, paragraph, sectionHeading } from '../layout/flow.ts'
import { type Cell, type CellLine, type Column, table } from '../layout/table.ts'
import { dayHeadings, type FloorNames, maxRows, noteHidden, small } from './section.ts'

/** Prints which team sits where on which weekday. */
export function printSeats(
  flow: Flow,
  { teams, weekdays, before, moved_people: all }: ScenarioResult,
  labels: FloorNames,
  teamNames: readonly string[],
): void {
  sectionHeading(flow, 'Who sits where', 90)
  paragraph(
    flow,
    `Places of each team by floor. Moved: those who sit on another floor than today on the weekday on which most of the team do${before === null ? '' : `; of all teams together, ${all} at most`}.`,
    small,
  )
  const shown = teams.slice(0, maxRows.teams)
  const teamWidth = weekdays.length > 5 ? 100 : 138
  const movedWidth = 36
  const dayWidth = (contentWidth - teamWidth - movedWidth) / weekdays.length
  table(
    flow,
    [
      { heading: 'Team', width: teamWidth },
      ...dayHeadings(weekdays).map((heading): Column => ({ heading, width: dayWidth })),
      { heading: 'Moved', width: movedWidth, align: 'right' },
    ],
    shown.map(({ seats, moved_people: moved }, at): Cell[] => [
      teamNames[at] ?? '',
      ...weekdays.map((day): CellLine[] => {
        const lines = seats
          .filter(({ weekday }) => weekday === day)
          .map(({ space_id: id, places }) => ({ text: labels.get(id) ?? id, figure: String(places) }))
        if (lines.length <= maxSeatLines) return lines
        return [
          ...lines.slice(0, maxSeatLines - 1),
          { text: `${lines.length - maxSeatLines + 1} more floors`, figure: '' },
        ]
      }),
      before === null ? '–' : String(moved),
    ]),
    { size: seatSize },
  )
  noteHidden(flow, teams.length, shown.length, 'teams')
}

/** Small, because of 200 teams it is what takes most pages. */
export const seatSize = 6.5
const maxSeatLines = 5
