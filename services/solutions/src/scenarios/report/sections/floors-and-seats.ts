import { contentWidth, page } from '@wp/pdf'
import { dayNames } from '../../result/words.ts'
import type { ScenarioResult } from '../../scenario-job.ts'
import { utilizationChart, utilizationHeight } from '../charts/utilization-chart.ts'
import { floorUses } from '../first-page/floor-charts.ts'
import { draw, type Flow, paragraph, reserve, sectionHeading } from '../layout/flow.ts'
import { type Cell, type CellLine, type Column, figuredWidth, table } from '../layout/table.ts'
import { dayHeadings, type FloorNames, maxRows, noteHidden, small } from './section.ts'

/**
 * Prints the places of each floor, its open days, and what keeps it open.
 * @param hasAllUses prints how full each floor is as well
 */
export function printFloors(flow: Flow, result: ScenarioResult, labels: FloorNames, hasAllUses: boolean): void {
  const { floors, weekdays } = result
  sectionHeading(flow, 'What keeps each floor open', 90)
  const shown = floors.slice(0, maxRows.floors)
  const listOpen = (open: typeof weekdays) =>
    open.length === weekdays.length
      ? 'all week'
      : open.length === 0
        ? 'never'
        : open.map((weekday) => dayNames[weekday]?.slice(0, 3)).join(' ')
  table(
    flow,
    [
      { heading: 'Floor', width: 92 },
      { heading: 'Places', width: 38, align: 'right' },
      { heading: 'Open', width: 67 },
      { heading: 'What stands in the way of closing it as well', width: contentWidth - 197, maxLines: 4 },
    ],
    shown.map(({ space_id: id, name, capacity, open, kept_open_by: reason }) => [
      labels.get(id) ?? name,
      flow.written(capacity.toLocaleString('en')),
      listOpen(open),
      reason ?? (open.length === 0 ? 'It closes.' : '–'),
    ]),
    { size: 6.5 },
  )
  noteHidden(flow, floors.length, shown.length, 'floors')
  if (!hasAllUses) return
  sectionHeading(flow, 'How full each floor is', 120)
  const names = floors.map(({ space_id: id, name }) => labels.get(id) ?? name)
  const uses = floorUses(result, names).slice(0, maxRows.floors)
  const days = weekdays.map((weekday) => dayNames[weekday] ?? weekday)
  const rowHeight = 12
  for (let from = 0; from < uses.length; from += chunkFloors) {
    const chunk = uses.slice(from, from + chunkFloors)
    const height = utilizationHeight(chunk.length, rowHeight)
    reserve(flow, height)
    const frame = { x: page.left, y: flow.y, width: contentWidth }
    draw(flow, ...utilizationChart(days, chunk, frame, rowHeight))
    flow.y += height
  }
}
const chunkFloors = 50

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
  const teamWidth = teamWidthOf(weekdays)
  const dayWidth = dayWidthOf(weekdays)
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

const movedWidth = 36
const teamWidthOf = (weekdays: readonly unknown[]) => (weekdays.length > 5 ? 100 : 138)
const dayWidthOf = (weekdays: readonly unknown[]) =>
  (contentWidth - teamWidthOf(weekdays) - movedWidth) / weekdays.length

/** Returns the width of the name of a floor beside the most places that a team may have there on a weekday. */
export const seatWidth = ({ floors, weekdays }: ScenarioResult, measure: (text: string) => number): number =>
  figuredWidth(dayWidthOf(weekdays), measure(String(Math.max(0, ...floors.map(({ capacity }) => capacity)))))

/** Small, because of 200 teams it is what takes most pages. */
export const seatSize = 6.5
const maxSeatLines = 5
