import { contentWidth } from '@wp/pdf'
import { formatKept, formatPeople, formatUse } from '../../result/words.ts'
import type { ScenarioResult } from '../../scenario-job.ts'
import { type Flow, sectionHeading } from '../layout/flow.ts'
import { type Column, table } from '../layout/table.ts'
import { dayHeadings } from './section.ts'

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
              stage.utilization === null ? '–' : formatUse(stage.utilization),
              formatKept(stage.service_level),
              formatPeople(stage.people_without_place),
              formatPeople(stage.people_on_other_floor),
            ],
          ],
    ),
  )
}

const keptOrDash = (risk: number | null | undefined): string => (risk == null ? '–' : formatKept(1 - risk))

const peopleOrDash = (people: number | undefined): string => (people === undefined ? '–' : formatPeople(people))
