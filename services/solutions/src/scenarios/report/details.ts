import { contentWidth, ink, page } from '@wp/pdf'
import { dayNames, formatMoney, formatShare } from '../result/words.ts'
import type { ScenarioResult } from '../scenario-job.ts'
import { assumptionsOf } from './assumptions.ts'
import { utilizationChart, utilizationHeight } from './charts.ts'
import { floorUses, maxChartFloors } from './first-page.ts'
import { draw, type Flow, lineHeight, paragraph, reserve, sectionHeading } from './layout/flow.ts'
import { type Cell, type CellLine, type Column, table } from './layout/table.ts'
import type { ScenarioReport } from './scenario-report.ts'

/** Rows of a table. The workbook has all of them. */
const maxRows = { floors: 120, teams: 400, changes: 40, warnings: 20 }

const small = { size: 8 }

/** Says what a table leaves out. */
function noteHidden(flow: Flow, all: number, shown: number, noun: string): void {
  if (all > shown) paragraph(flow, `${all - shown} more ${noun} are in the workbook.`, { ...small, color: ink.muted })
}

/** Prints the saving of each floor with its arithmetic; rent is apart. */
export function printSaving(flow: Flow, { saving, next_point: next }: ScenarioResult, labels: FloorNames): void {
  sectionHeading(flow, 'The saving of a year')
  if (saving === null) {
    paragraph(flow, 'No floor closes that has a cost, or the costs are in several currencies.', small)
    return
  }
  const money = (amount: number) => formatMoney(amount, saving.currency)
  const lines = saving.lines.slice(0, maxRows.floors)
  table(
    flow,
    [
      { heading: 'Floor', width: 128 },
      { heading: 'Arithmetic', width: 259, maxLines: 3 },
      { heading: 'Saving a year', width: 96, align: 'right' },
    ],
    [
      ...lines.map(({ space_id: id, name, arithmetic, amount }) => [labels.get(id) ?? name, arithmetic, money(amount)]),
      ['Total', '', money(saving.amount)],
    ],
    { hasTotal: true },
  )
  noteHidden(flow, saving.lines.length, lines.length, 'floors')
  const rents = saving.lines.filter(({ rent }) => rent > 0)
  if (rents.length > 0) {
    paragraph(
      flow,
      'Not in the saving: the rest of the cost of floors that are closed all week, such as rent. It ends only with the lease.',
      small,
    )
    const shown = rents.slice(0, maxRows.floors)
    table(
      flow,
      [
        { heading: 'Floor', width: 387 },
        { heading: 'Rent a year', width: 96, align: 'right' },
      ],
      [
        ...shown.map(({ space_id: id, name, rent }) => [labels.get(id) ?? name, money(rent)]),
        ['Total', money(saving.rent)],
      ],
      { hasTotal: true },
    )
    noteHidden(flow, rents.length, shown.length, 'floors')
  }
  if (next?.cost != null)
    paragraph(
      flow,
      `One more point of service level (${formatShare(next.service_level)}) costs ${money(next.cost)} a year.`,
      small,
    )
}

/** The names of floors by id, short but distinct. */
export type FloorNames = ReadonlyMap<string, string>

/** Prints people and risk by weekday, and the effect of the changes apart from that of the plan. */
export function printDemand(flow: Flow, result: ScenarioResult): void {
  const { weekdays, floors, before, demand_changed: changed, allocation_changed: planned, risk } = result
  sectionHeading(flow, 'Demand and risk by weekday', 110)
  const isChanged = JSON.stringify(before) !== JSON.stringify(changed)
  const rows: [string, (weekday: (typeof weekdays)[number]) => string][] = [
    ['People a day on average, forecast', (day) => formatPeople(before?.people[day])],
    ['People a day on average, with the changes', (day) => formatPeople(changed?.people[day])],
    ['Floors that are open', (day) => `${floors.filter(({ open }) => open.includes(day)).length} of ${floors.length}`],
    ['Days on which someone has no place', (day) => formatMaybe(risk?.by_weekday[day])],
  ]
  const shownRows = rows.filter((_, at) => isChanged || at !== 1)
  const dayWidth = (contentWidth - 178) / weekdays.length
  table(
    flow,
    [
      { heading: '', width: 178 },
      ...weekdays.map((day): Column => ({ heading: dayNames[day] ?? day, width: dayWidth, align: 'right' })),
    ],
    shownRows.map(([label, valueOn]) => [label, ...weekdays.map(valueOn)]),
  )
  const demand = isChanged ? 'The changed demand' : 'The forecast'
  const stages: [string, typeof before][] = [
    ['The forecast, with the places of today', before],
    ...(isChanged ? [['The changed demand, with the places of today', changed] as [string, typeof changed]] : []),
    [`${demand}, with the places of the scenario`, planned],
  ]
  table(
    flow,
    [
      { heading: '', width: 218 },
      { heading: 'Places of open floors taken', width: 85, align: 'right' },
      { heading: 'Days on which everyone has a place', width: 95, align: 'right' },
      { heading: 'People without a place, on average', width: 85, align: 'right' },
    ],
    stages.flatMap(([label, stage]) =>
      stage === null
        ? []
        : [
            [
              label,
              formatMaybe(stage.utilization),
              formatShare(stage.service_level),
              formatPeople(stage.people_without_place, 2),
            ],
          ],
    ),
  )
}

const formatMaybe = (share: number | null | undefined): string => (share == null ? '–' : formatShare(share))

const formatPeople = (people: number | undefined, digits = 1): string =>
  people === undefined ? '–' : people.toLocaleString('en', { maximumFractionDigits: digits })

/** Prints what was assumed, and how the figures are to be read. */
export function printAssumptions(flow: Flow, report: ScenarioReport, maxChanges = maxRows.changes): void {
  sectionHeading(flow, 'Assumptions', 100)
  table(
    flow,
    [
      { heading: 'Assumption', width: 110 },
      { heading: 'Value', width: contentWidth - 110, maxLines: 2 },
    ],
    assumptionsOf(report, maxChanges),
    small,
  )
}

const readings = [
  'The saving of a floor is its cost of a year × the share that ends with a closed day × the closed share of the weekdays. It is counted from the first day.',
  'Days without a place are counted over all sample paths of the forecast. A floor that is too full makes such a day, even where another one has free places.',
  'The plan is one of weekdays; public holidays are no part of it.',
]

/** Prints how figures are computed, and what else the reader must know. */
export function printNotes(flow: Flow, { result: { warnings } }: ScenarioReport): void {
  sectionHeading(flow, 'Notes')
  const shown = warnings.slice(0, maxRows.warnings)
  for (const text of [...shown, ...readings]) bullet(flow, text)
  noteHidden(flow, warnings.length, shown.length, 'notes')
}

/** Prints a text of a list. */
export function bullet(flow: Flow, text: string, { size = 8, maxLines = 6 } = {}): void {
  reserve(flow, lineHeight(size))
  draw(flow, { kind: 'rectangle', x: page.left + 1, y: flow.y + size * 0.45, width: 3, height: 3, fill: ink.accent })
  paragraph(flow, text, { size }, { maxLines, gap: 3, x: page.left + 11, width: contentWidth - 11 })
}

/** Prints the places of each floor, its open days, and what keeps it open. */
export function printFloors(flow: Flow, result: ScenarioResult, labels: FloorNames): void {
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
      { heading: 'Floor', width: 112 },
      { heading: 'Places', width: 42, align: 'right' },
      { heading: 'Open', width: 80 },
      { heading: 'What stands in the way of closing it as well', width: contentWidth - 234, maxLines: 4 },
    ],
    shown.map(({ space_id: id, name, capacity, open, kept_open_by: reason }) => [
      labels.get(id) ?? name,
      capacity.toLocaleString('en'),
      listOpen(open),
      reason ?? (open.length === 0 ? 'It closes.' : '–'),
    ]),
    { size: 7 },
  )
  noteHidden(flow, floors.length, shown.length, 'floors')
  if (floors.length <= maxChartFloors) return
  sectionHeading(flow, 'How full each floor is', 120)
  const uses = floorUses(
    result,
    floors.map(({ space_id: id, name }) => labels.get(id) ?? name),
  ).slice(0, maxRows.floors)
  const rowHeight = 12
  for (let from = 0; from < uses.length; from += chunkFloors) {
    const chunk = uses.slice(from, from + chunkFloors)
    const height = utilizationHeight(chunk.length, rowHeight)
    reserve(flow, height)
    const frame = { x: page.left, y: flow.y, width: contentWidth }
    draw(
      flow,
      ...utilizationChart(
        weekdays.map((weekday) => dayNames[weekday] ?? weekday),
        chunk,
        frame,
        rowHeight,
      ),
    )
    flow.y += height
  }
}
const chunkFloors = 50

/** Prints which team sits where on which weekday. */
export function printSeats(
  flow: Flow,
  { teams, weekdays }: ScenarioResult,
  labels: FloorNames,
  teamNames: readonly string[],
): void {
  sectionHeading(flow, 'Who sits where', 90)
  paragraph(
    flow,
    'Places of each team by floor. Moved: the most who sit on another floor than today on one day.',
    small,
  )
  const shown = teams.slice(0, maxRows.teams)
  const teamWidth = weekdays.length > 5 ? 96 : 124
  const movedWidth = 36
  const dayWidth = (contentWidth - teamWidth - movedWidth) / weekdays.length
  table(
    flow,
    [
      { heading: 'Team', width: teamWidth },
      ...weekdays.map((day): Column => ({ heading: dayNames[day] ?? day, width: dayWidth })),
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
      String(moved),
    ]),
    { size: seatSize },
  )
  noteHidden(flow, teams.length, shown.length, 'teams')
}

/** Small, because of 200 teams it is what takes most pages. */
export const seatSize = 6.5
const maxSeatLines = 5
