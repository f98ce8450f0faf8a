import { contentWidth, fitText, ink, page, printableLine } from '@wp/pdf'
import { textFor } from '../../content/reader-text.ts'
import { separator, shortNames } from '../result/words.ts'
import { assumptionsOf } from './assumption-words.ts'
import { printCharts } from './first-page/floor-charts.ts'
import { printConclusion, printKeyFigures, printTitle } from './first-page/title-and-figures.ts'
import { createFlow, type Flow, sectionHeading, startPage } from './layout/flow.ts'
import { horizontalLine, type MeasureText, type Shape, textLine } from './layout/shapes.ts'
import { table } from './layout/table.ts'
import type { ScenarioReport } from './scenario-report.ts'
import { printFloors, printSeats, seatSize, seatWidth } from './sections/floors-and-seats.ts'
import { printDemand, printSaving } from './sections/saving-and-demand.ts'
import { bullet, type FloorNames, maxRows, noteHidden, small } from './sections/section.ts'

/**
 * Lays a report out: a page with the conclusion, key figures and charts; then the saving, demand and risk,
 * assumptions, floors and teams. A scenario that is not feasible has a page with what is missing
 * instead, and after it what can close nevertheless, or what else is to know. Figures are those of the result.
 *
 * @returns the shapes of each page
 */
export function layOutReport(report: ScenarioReport, measure: MeasureText): Shape[][] {
  const flow = createFlow(measure, textFor(report.locale).sentence)
  const { result } = report
  printTitle(flow, report)
  if (result.is_feasible) printConclusion(flow, result.conclusion)
  else printConflict(flow, report)
  if (result.is_feasible || result.floors.length > 0) printPlan(flow, report)
  else if (result.warnings.length > 0) printNotes(flow, report, [])
  return flow.pages.map((shapes, at) => [...shapes, ...footer(report, `${at + 1} of ${flow.pages.length}`)])
}

function footer({ asked, productName }: ScenarioReport, position: string): Shape[] {
  const style = { size: 7.5, color: ink.muted } as const
  const name = `${printableLine(productName, 60)}  ·  ${printableLine(asked.name, maxName)}`
  return [
    horizontalLine(page.left, page.footer - 8, contentWidth),
    textLine(name, { x: page.left, y: page.footer, width: contentWidth - 90 }, { ...style, font: 'names' }),
    textLine(position, { x: page.left, y: page.footer, width: contentWidth }, { ...style, align: 'right' }),
  ]
}

/** More characters than a name with those around it has, of at most 8 levels. */
const maxName = 2000

function printPlan(flow: Flow, report: ScenarioReport): void {
  const { result } = report
  const floorNames = result.floors.map(({ name }) => printableLine(name, maxName))
  const measure = (text: string) => flow.measure(text, 'names', seatSize)
  const width = seatWidth(result, measure)
  const labels = floorLabels(floorNames, (name) => fitText(measure, name, width))
  const [names, narrow] = [labels.wide, labels.narrow].map(
    (all): FloorNames => new Map(result.floors.map(({ space_id: id }, at) => [id, all[at] ?? ''])),
  ) as [FloorNames, FloorNames] // one for each
  const teamNames = shortNames(result.teams.map(({ name }) => printableLine(name, maxName)))
  if (!result.is_feasible) {
    startPage(flow)
    sectionHeading(flow, 'What can close all the same')
  }
  printKeyFigures(flow, report)
  const hidden = printCharts(flow, report, labels.wide)
  startPage(flow)
  printSaving(flow, result, names)
  printDemand(flow, result)
  if (result.is_feasible) printAssumptions(flow, report)
  printNotes(flow, report)
  printFloors(flow, result, names, hidden > 0)
  printSeats(flow, result, narrow, teamNames)
}

const maxConditions = 8
/** The height of the assumptions without changes, and of a change. */
const assumptionsHeight = 150
const changeHeight = 25

/** Prints what is missing; bounded, so that it is one page. */
function printConflict(flow: Flow, report: ScenarioReport): void {
  const { conclusion, conflict } = report.result
  // The conclusion repeats the conditions, which are listed here.
  printConclusion(flow, conflict.length === 0 ? conclusion : conclusion.replace(` ${conflict.join(' ')}`, ''))
  sectionHeading(flow, 'What is missing')
  for (const text of conflict.slice(0, maxConditions)) bullet(flow, text, { size: 10, maxLines: 2 })
  if (conflict.length > maxConditions) bullet(flow, `and ${conflict.length - maxConditions} more`, { size: 10 })
  printAssumptions(flow, report, Math.max(0, Math.floor((page.bottom - flow.y - assumptionsHeight) / changeHeight)))
}

/**
 * Returns names of floors for wide and for narrow columns, of which no two print alike: the last part of each name, or
 * more of it. Where the narrow column cuts them alike, both have the same number, before all of the name and before its
 * last part.
 *
 * @param fit cuts a name to the narrowest column
 */
export function floorLabels(names: readonly string[], fit: (name: string) => string) {
  const short = shortNames(names)
  const last = names.map((name) => name.split(separator).at(-1) ?? name)
  const distinct = [last, short, withoutCommonWords(short)].find(
    (labels) => new Set(labels.map(fit)).size === labels.length,
  )
  const numbered = (labels: readonly string[]) => labels.map((label, at) => `${at + 1}. ${label}`)
  return { wide: distinct ?? numbered(short), narrow: distinct ?? numbered(last) }
}

/** Leaves out the words with which the first of several parts of all names begin: `Berlin A / 1` and `Berlin B / 1`. */
function withoutCommonWords(names: readonly string[]): string[] {
  const words = names.map((name) => name.split(' '))
  const lengths = names.map((name) => (name.split(separator)[0] ?? '').split(' ').length)
  const isCommon = (at: number) =>
    words.every((own, index) => own[at] === words[0]?.[at] && at < (lengths[index] ?? 0) - 1)
  const first = Array.from(words[0] ?? []).findIndex((_, at) => !isCommon(at))
  return words.map((own) => own.slice(Math.max(0, first)).join(' '))
}

/** Prints what was assumed, and how the figures are to be read. */
function printAssumptions(flow: Flow, report: ScenarioReport, maxChanges = maxRows.changes): void {
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
  'Days on which everyone has a place are counted over all sample paths of the forecast. People who find the floors of their team full sit on another open floor that the team may use.',
  'The plan is one of weekdays; public holidays are no part of it.',
]

/** Prints how figures are computed, and what else the reader must know. */
function printNotes(flow: Flow, { result: { warnings } }: ScenarioReport, explanations = readings): void {
  sectionHeading(flow, 'Notes')
  const shown = warnings.slice(0, maxRows.warnings)
  for (const text of [...shown, ...explanations]) bullet(flow, text)
  noteHidden(flow, warnings.length, shown.length, 'notes')
}
