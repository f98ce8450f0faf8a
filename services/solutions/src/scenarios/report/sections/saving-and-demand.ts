import { contentWidth } from '@wp/pdf'
import { formatKept, formatMoney, formatPeople, formatShare, formatUse, noSaving } from '../../result/words.ts'
import type { ScenarioResult } from '../../scenario-job.ts'
import { type Flow, paragraph, sectionHeading } from '../layout/flow.ts'
import { type Column, table } from '../layout/table.ts'
import { dayHeadings, type FloorNames, maxRows, noteHidden, small } from './section.ts'

/** Prints the saving of each floor with its arithmetic; rent is apart. */
export function printSaving(
  flow: Flow,
  { saving, saving_missing: missing, next_point: next }: ScenarioResult,
  labels: FloorNames,
): void {
  sectionHeading(flow, 'The saving of a year')
  if (saving === null) {
    paragraph(flow, missing ?? noSaving, small)
    return
  }
  const money = (amount: number) => flow.written(formatMoney(amount, saving.currency))
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
      `To keep the promise on ${flow.written(formatShare(next.service_level))} of days, one point more, costs ${money(next.cost)} a year.`,
      small,
    )
}

/** Prints people and risk by weekday, and the effect of the changes apart from that of the plan. */
export function printDemand(flow: Flow, result: ScenarioResult): void {
  const { weekdays, floors, before, demand_changed: changed, allocation_changed: planned, risk } = result
  sectionHeading(flow, 'Demand and risk by weekday', 110)
  const isChanged = JSON.stringify(before) !== JSON.stringify(changed)
  const rows: [string, (weekday: (typeof weekdays)[number]) => string][] = [
    ['People a day on average, forecast', (day) => peopleOrDash((before ?? planned)?.people[day])],
    ['People a day on average, with the changes', (day) => peopleOrDash(changed?.people[day])],
    ['Floors that are open', (day) => `${floors.filter(({ open }) => open.includes(day)).length} of ${floors.length}`],
    ['Everyone has a place, of days', (day) => keptOrDash(risk?.by_weekday[day])],
  ]
  const shownRows = rows.filter((_, at) => isChanged || at !== 1)
  const dayWidth = (contentWidth - 178) / weekdays.length
  table(
    flow,
    [
      { heading: '', width: 178 },
      ...dayHeadings(weekdays).map((heading): Column => ({ heading, width: dayWidth, align: 'right' })),
    ],
    shownRows.map(([label, valueOn]) => [label, ...weekdays.map((day) => flow.written(valueOn(day)))]),
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
      { heading: '', width: 188 },
      { heading: 'Places of open floors taken', width: 65, align: 'right' },
      { heading: 'Everyone has a place, of days', width: 76, align: 'right' },
      { heading: 'People without a place, on average', width: 76, align: 'right' },
      { heading: 'People on a floor of others, on average', width: 78, align: 'right' },
    ],
    stages.flatMap(([label, stage]) =>
      stage === null
        ? []
        : [
            [
              label,
              ...[
                stage.utilization === null ? '–' : formatUse(stage.utilization),
                formatKept(stage.service_level),
                formatPeople(stage.people_without_place),
                formatPeople(stage.people_on_other_floor),
              ].map(flow.written),
            ],
          ],
    ),
  )
}

const keptOrDash = (risk: number | null | undefined): string => (risk == null ? '–' : formatKept(1 - risk))

const peopleOrDash = (people: number | undefined): string => (people === undefined ? '–' : formatPeople(people))
