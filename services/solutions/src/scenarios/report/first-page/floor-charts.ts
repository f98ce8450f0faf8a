import { contentWidth, ink, page } from '@wp/pdf'
import { dayNames } from '../../result/words.ts'
import type { ScenarioResult } from '../../scenario-job.ts'
import { freeFloorsChart, freeFloorsHeight, freeNamesWidth } from '../charts/free-floors-chart.ts'
import { type FloorUse, isOverfull, utilizationChart, utilizationHeight } from '../charts/utilization-chart.ts'
import { draw, type Flow, linesOf } from '../layout/flow.ts'
import { horizontalLine, textLine } from '../layout/shapes.ts'
import type { ScenarioReport } from '../scenario-report.ts'

/** Floors on the first page, so that it has room for all of its parts, and the lowest row of one. */
const maxChartFloors = 30
const minRowHeight = 8.5

/** Returns how full each floor is, with the names given. */
export const floorUses = ({ floors, weekdays }: ScenarioResult, labels: readonly string[]): FloorUse[] =>
  floors.map(({ open, utilization_before: before, utilization_after: after }, at) => ({
    label: labels[at] ?? '',
    today: weekdays.map((weekday) => before[weekday]),
    planned: weekdays.map((weekday) => (open.includes(weekday) ? (after[weekday] ?? 0) : null)),
  }))

/**
 * Prints the utilization of the floors and the free floors by weekday on what is left of the first page. Of many
 * floors, those that close and those that are fullest are shown.
 * @returns the number of floors that are not shown
 */
export function printCharts(flow: Flow, { result }: ScenarioReport, labels: readonly string[]): number {
  const { floors, free, weekdays } = result
  const uses = floorUses(result, labels)
  const freeHeight = 8 + chartHeadingHeight + freeFloorsHeight(weekdays.length, 1)
  const left = page.bottom - flow.y - chartHeadingHeight - utilizationHeight(0, 0) - freeHeight
  const rows = chartRows(uses, Math.min(maxChartFloors, Math.floor(left / minRowHeight)))
  const notes = [
    'Average share of the places taken.',
    ...(rows.some(({ today, planned }) => [...today, ...planned].some(isOverfull))
      ? ['Framed: more people than places.']
      : []),
    ...(rows.some(({ today }) => today.includes(undefined))
      ? ['–: not known of the people of the plan; others may be there.']
      : []),
    ...(rows.length < uses.length ? [`${uses.length - rows.length} more floors are on the next pages.`] : []),
  ]
  const frame = { x: page.left, width: contentWidth }
  chartHeading(flow, 'How full each floor is', notes.join(' '))
  const rowHeight = Math.min(19, left / Math.max(1, rows.length))
  const names = weekdays.map((weekday) => dayNames[weekday] ?? weekday)
  draw(flow, ...utilizationChart(names, rows, { ...frame, y: flow.y }, rowHeight))
  flow.y += utilizationHeight(rows.length, rowHeight) + 8
  chartHeading(flow, 'Floors that are free', 'Filled: open. Outlined: free.')
  const maxLines = [3, 2].find((count) => flow.y + freeFloorsHeight(weekdays.length, count) <= page.bottom) ?? 1
  const days = weekdays.map((weekday, day) => {
    const freeIds = new Set(free.flatMap(({ space_id: id, weekdays: own }) => (own.includes(weekday) ? [id] : [])))
    const list = labels
      .filter((_, at) => freeIds.has(floors[at]?.space_id ?? ''))
      .map((label) => linesOf(flow, label, freeStyle, freeLabel)[0] ?? '')
    const space = { width: freeNamesWidth(contentWidth), maxLines }
    return { weekday: names[day] ?? '', count: list.length, names: linesOf(flow, list.join(', '), freeStyle, space) }
  })
  const lines = Math.max(1, ...days.map((day) => day.names.length))
  draw(flow, ...freeFloorsChart(days, floors.length, { ...frame, y: flow.y }, lines))
  flow.y += freeFloorsHeight(weekdays.length, lines)
  return uses.length - rows.length
}

const freeStyle = { size: 7.5 }
/** One long name leaves room for others. */
const freeLabel = { width: 110, maxLines: 1 }

/** Returns some of the floors in their order: those that close, then the fullest. */
function chartRows(uses: readonly FloorUse[], count: number): FloorUse[] {
  const rankOf = ({ planned }: FloorUse) =>
    planned.includes(null) ? Number.POSITIVE_INFINITY : Math.max(...planned.map((share) => share ?? 0))
  const shown = new Set(
    uses.toSorted((a, b) => Number(rankOf(a) < rankOf(b)) - Number(rankOf(a) > rankOf(b))).slice(0, count),
  )
  return uses.filter((use) => shown.has(use))
}

const chartHeadingHeight = 19

function chartHeading(flow: Flow, text: string, note: string): void {
  const width = flow.measure(text, 'bold', 9.5) + 10
  draw(
    flow,
    horizontalLine(page.left, flow.y - 3, contentWidth),
    textLine(text, { x: page.left, y: flow.y + 2, width }, { size: 9.5, font: 'bold', color: ink.accent }),
    textLine(
      note,
      { x: page.left + width, y: flow.y + 4.2, width: contentWidth - width },
      { size: 7, color: ink.muted },
    ),
  )
  flow.y += chartHeadingHeight
}
