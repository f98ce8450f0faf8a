import { contentWidth, ink, page } from '@wp/pdf'
import { dayNames, formatMoney, formatShare } from '../result/words.ts'
import type { ScenarioResult } from '../scenario-job.ts'
import { forecastBasis, formatTime, siteOf } from './assumptions.ts'
import {
  type FloorUse,
  figureGap,
  freeFloorsChart,
  freeFloorsHeight,
  freeNamesWidth,
  isOverfull,
  keyFigures,
  utilizationChart,
  utilizationHeight,
} from './charts.ts'
import { draw, type Flow, lineHeight, linesOf, paragraph } from './layout/flow.ts'
import { horizontalLine, rectangle, textLine } from './layout/shapes.ts'
import type { ScenarioReport } from './scenario-report.ts'

export const productName = 'Workspace platform'

/** Floors on the first page, so that it has room for all of its parts. */
export const maxChartFloors = 30

/** Prints the name of the product, of the scenario and of its site, and what it is based on. */
export function printTitle(flow: Flow, report: ScenarioReport): void {
  const { asked, finishedAt, timezone } = report
  const right = { x: page.left, width: contentWidth }
  draw(
    flow,
    textLine(productName, { x: page.left + 22, y: 43, width: 240 }, { size: 9.5, font: 'bold' }),
    textLine(
      `Scenario report  ·  ${formatTime(finishedAt, timezone)}`,
      { ...right, y: 43.5 },
      {
        ...{ size: 8.5, color: ink.muted, align: 'right' },
      },
    ),
  )
  flow.y = 70
  fitParagraph(flow, asked.name, { sizes: [21, 17, 14], height: 56, font: 'boldNames', color: ink.accent, gap: 4 })
  const facts = `${siteOf(report)}  ·  ${forecastBasis(report)}`
  paragraph(flow, facts, { size: 8.5, color: ink.muted }, { maxLines: 3, gap: 10 })
}

/** Prints the conclusion in a frame, as large as it fits. */
export function printConclusion(flow: Flow, text: string): void {
  const top = flow.y
  const inner = { x: page.left + 14, width: contentWidth - 26 }
  const at = flow.pages.at(-1)?.length ?? 0
  flow.y += 9
  fitParagraph(flow, text, { sizes: [15.5, 14, 12.5, 11, 9.5, 8.5], height: 92, font: 'names', gap: 9, ...inner })
  const height = flow.y - top
  // Under the text.
  flow.pages
    .at(-1)
    ?.splice(
      at,
      0,
      rectangle({ x: page.left, y: top, width: contentWidth, height, fill: '#eef2f7' }),
      rectangle({ x: page.left, y: top, width: 4, height, fill: ink.accent }),
    )
  flow.y += 14
}

/** Prints a text in the first of the sizes with which it is not higher than `height`; in the last, it is cut. */
function fitParagraph(
  flow: Flow,
  text: string,
  options: {
    sizes: readonly number[]
    height: number
    font: 'names' | 'boldNames'
    color?: string
    gap: number
    x?: number
    width?: number
  },
): void {
  const { sizes, height, font, color = ink.text, gap, x = page.left, width = contentWidth } = options
  const linesIn = (size: number) => Math.floor(height / lineHeight(size))
  const isFitting = (size: number) =>
    linesOf(flow, text, { size, font }, { width, maxLines: linesIn(size) + 1 }).length <= linesIn(size)
  const size = sizes.find(isFitting) ?? sizes.at(-1) ?? 9
  paragraph(flow, text, { size, font, color }, { maxLines: linesIn(size), gap, x, width })
}

const figureWidths = [1.45, 1, 1, 1]
const valueSizes = [16, 14, 12, 10, 8.5, 7]

/** Prints the saving, the floors that can close, the people who move and the service level. */
export function printKeyFigures(flow: Flow, { asked, result }: ScenarioReport): void {
  const { saving, free, floors, moved_people: moved, risk, weekdays } = result
  const allWeek = free.filter((floor) => floor.weekdays.length === weekdays.length).length
  const closedDays = free.reduce((sum, floor) => sum + floor.weekdays.length, 0)
  const figures = [
    {
      label: 'Saving a year',
      value: saving === null ? 'not stated' : formatMoney(saving.amount, saving.currency),
      caption:
        saving === null
          ? 'No floor closes, or costs are not stated or in several currencies'
          : saving.rent === 0
            ? 'Costs that end with closed days'
            : `Without ${formatMoney(saving.rent, saving.currency)} of rent, which ends only with the lease`,
    },
    {
      label: 'Floors that can close',
      value: `${free.length} of ${floors.length}`,
      caption: `${allWeek} all week; ${closedDays} of ${floors.length * weekdays.length} floor days a week`,
    },
    { label: 'People who move', value: String(moved), caption: 'sit on another floor than today' },
    {
      label: 'Service level',
      value: risk === null ? 'not known' : formatShare(1 - risk.overflow_days),
      caption: `of days everyone has a place; ${formatShare(asked.service_level)} was asked for`,
    },
  ]
  const sum = figureWidths.reduce((all, one) => all + one, 0)
  const fitted = figures.map((figure, at) => {
    const width = ((figureWidths[at] ?? 1) / sum) * (contentWidth + figureGap) - figureGap
    const valueSize = valueSizes.find((size) => flow.measure(figure.value, 'bold', size) <= width) ?? 7
    return { ...figure, valueSize, caption: linesOf(flow, figure.caption, { size: 7 }, { width, maxLines: 3 }) }
  })
  draw(flow, ...keyFigures(fitted, { x: page.left, y: flow.y, width: contentWidth }, figureWidths))
  flow.y += 62 + 9.5 * Math.max(...fitted.map(({ caption }) => caption.length))
}

/** Returns how full each floor is, with the names given. */
export const floorUses = ({ floors, weekdays }: ScenarioResult, labels: readonly string[]): FloorUse[] =>
  floors.map(({ open, utilization_before: before, utilization_after: after }, at) => ({
    label: labels[at] ?? '',
    today: weekdays.map((weekday) => before[weekday] ?? 0),
    planned: weekdays.map((weekday) => (open.includes(weekday) ? (after[weekday] ?? 0) : null)),
  }))

/**
 * Prints the utilization of the floors and the free floors by weekday on what is left of the first page. Of many floors,
 * those that close and those that are fullest are shown.
 */
export function printCharts(flow: Flow, { result }: ScenarioReport, labels: readonly string[]): void {
  const { floors, weekdays } = result
  const uses = floorUses(result, labels)
  const rows = chartRows(uses)
  const notes = [
    'Average share of the places taken.',
    ...(rows.some(({ today, planned }) => [...today, ...planned].some(isOverfull))
      ? ['Framed: more people than places.']
      : []),
    ...(rows.length < uses.length ? [`${uses.length - rows.length} more floors are on the next pages.`] : []),
  ]
  const frame = { x: page.left, width: contentWidth }
  chartHeading(flow, 'How full each floor is', notes.join(' '))
  const freeHeight = chartHeadingHeight + freeFloorsHeight(weekdays.length, 1)
  const left = page.bottom - flow.y - freeHeight - 8 - utilizationHeight(0, 0)
  const rowHeight = Math.min(19, Math.max(8.5, left / Math.max(1, rows.length)))
  const names = weekdays.map((weekday) => dayNames[weekday] ?? weekday)
  draw(flow, ...utilizationChart(names, rows, { ...frame, y: flow.y }, rowHeight))
  flow.y += utilizationHeight(rows.length, rowHeight) + 8
  chartHeading(flow, 'Floors that are free', 'Filled: open. Outlined: free.')
  const maxLines = [3, 2].find((count) => flow.y + freeFloorsHeight(weekdays.length, count) <= page.bottom) ?? 1
  const days = weekdays.map((weekday, day) => {
    const isFree = floors.map(({ open }) => !open.includes(weekday))
    const list = labels
      .filter((_, at) => isFree[at])
      .map((label) => linesOf(flow, label, freeStyle, freeLabel)[0] ?? '')
    const space = { width: freeNamesWidth(contentWidth), maxLines }
    return { weekday: names[day] ?? '', count: list.length, names: linesOf(flow, list.join(', '), freeStyle, space) }
  })
  const lines = Math.max(1, ...days.map((day) => day.names.length))
  draw(flow, ...freeFloorsChart(days, floors.length, { ...frame, y: flow.y }, lines))
  flow.y += freeFloorsHeight(weekdays.length, lines)
}

const freeStyle = { size: 7.5 }
/** One long name leaves room for others. */
const freeLabel = { width: 110, maxLines: 1 }

/** Returns the floors of the chart in their order: those that close, then the fullest. */
function chartRows(uses: readonly FloorUse[]): FloorUse[] {
  const rankOf = ({ planned }: FloorUse) =>
    planned.includes(null) ? Number.POSITIVE_INFINITY : Math.max(...planned.map((share) => share ?? 0))
  const shown = new Set(
    uses.toSorted((a, b) => Number(rankOf(a) < rankOf(b)) - Number(rankOf(a) > rankOf(b))).slice(0, maxChartFloors),
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
