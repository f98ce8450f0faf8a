import { contentWidth, page } from '@wp/pdf'
import { dayNames } from '../../result/words.ts'
import type { ScenarioResult } from '../../scenario-job.ts'
import { utilizationChart, utilizationHeight } from '../charts/utilization-chart.ts'
import { floorUses } from '../first-page/floor-charts.ts'
import { draw, type Flow, reserve, sectionHeading } from '../layout/flow.ts'
import { table } from '../layout/table.ts'
import { type FloorNames, maxRows, noteHidden } from './section.ts'

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
      capacity.toLocaleString('en'),
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
