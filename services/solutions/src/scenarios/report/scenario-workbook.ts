import { neutralizeFormulas } from '@wp/tabular'
import writeWorkbook from 'write-excel-file/node'
import { printedWorkbook, withResult } from '../../content/printed-workbook.ts'
import { textFor } from '../../content/reader-text.ts'
import { allWeekOf, freeTotalsOf } from '../result/scenario-result.ts'
import { dayNames, formatPeople, formatShare, listDays, minorDigits, noSaving, shortNames } from '../result/words.ts'
import type { ScenarioResult } from '../scenario-job.ts'
import { assumptionsOf } from './assumption-words.ts'
import type { ScenarioReport } from './scenario-report.ts'

type Cell = {
  value: string | number
  type?: 'Formula'
  format?: string
  fontWeight?: 'bold'
  wrap?: boolean
  align?: 'left' | 'right'
  fontSize?: number
  height?: number
  alignVertical?: 'top'
  backgroundColor?: string
} | null

const top = { alignVertical: 'top' } as const
const text = (value: string): Cell => ({ value: neutralizeFormulas(value), wrap: true, ...top })
const bold = (value: string): Cell => ({ value: neutralizeFormulas(value), fontWeight: 'bold', wrap: true, ...top })
const number = (value: number, format = '#,##0'): Cell => ({ value, format, ...top })
const formula = (text: string, result: number, format: string): Cell => ({
  value: withResult(text, result),
  type: 'Formula',
  format,
  ...top,
})
/** The headings of columns of texts, and of columns of figures after them. */
const headings = (texts: readonly string[], figures: readonly string[] = []): Cell[] => [
  ...texts.map((name) => ({ ...bold(name), value: name, backgroundColor: '#eef2f7' })),
  ...figures.map((name) => ({ ...bold(name), value: name, backgroundColor: '#eef2f7', align: 'right' as const })),
]

/** Of the shares of places that are taken, as in the report; and of those that were given, which have decimals. */
const [wholePercent, percent] = ['0 %', '0.0 %']
const moneyFormat = (currency: string) => `"${currency}" #,##0`
const wide = { orientation: 'landscape', stickyRowsCount: 1 } as const

/** Writes the workbook of a scenario with places: figures as the report has them, the saving as formulas. */
export async function writeScenarioWorkbook(report: ScenarioReport): Promise<Uint8Array> {
  const { result } = report
  const names = shortNames(result.floors.map(({ name }) => name))
  const floorNames = new Map(result.floors.map(({ space_id: id }, at) => [id, names[at] ?? '']))
  const saving = savingRows(result, floorNames)
  const days = result.weekdays
  return writeWorkbook(
    [
      sheet('Conclusion', conclusionRows(report, saving.total, floorNames), [36, 56]),
      { ...sheet('Saving', saving.rows, [30, 16, 16, 10, 10, 16, 16]), ...wide },
      { ...sheet('Floors', floorRows(result, floorNames), [20, 7, ...days.flatMap(() => [11, 11]), 40]), ...wide },
      { ...sheet('Who sits where', seatRows(result, floorNames), [26, ...days.map(() => 20), 8]), ...wide },
      sheet('Assumptions', assumptionRows(report), [24, 68]),
    ],
    { fontFamily: 'Calibri', fontSize: 11, features: [printedWorkbook] },
  ).toBuffer()
}

const lineHeight = 15

/** Returns a sheet whose rows are as high as their wrapped texts: not every program finds that out itself. */
const sheet = (name: string, rows: Cell[][], widths: readonly number[]) => ({
  sheet: name,
  columns: widths.map((width) => ({ width })),
  data: rows.map((cells) => {
    const linesOf = (cell: Cell, width: number) =>
      typeof cell?.value !== 'string' || cell.wrap !== true
        ? 1
        : cell.value.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / (0.9 * width))), 0)
    const lines = Math.max(1, ...cells.map((cell, at) => linesOf(cell, widths[at] ?? 10)))
    return lines === 1 ? cells : cells.map((cell) => cell && { ...cell, height: lines * lineHeight })
  }),
})

type Names = ReadonlyMap<string, string>

function floorRows({ floors, weekdays }: ScenarioResult, names: Names): Cell[][] {
  const days = weekdays.flatMap((day) => [`${dayNames[day]} today`, `${dayNames[day]} planned`])
  return [
    [...headings(['Floor'], ['Places', ...days]), ...headings(['What stands in the way of closing it as well'])],
    ...floors.map(({ space_id: id, name, capacity, open, utilization_before, utilization_after, kept_open_by }) => [
      text(names.get(id) ?? name),
      number(capacity),
      ...weekdays.flatMap((day): Cell[] => [
        utilization_before[day] === undefined ? text('not known') : number(utilization_before[day], wholePercent),
        open.includes(day)
          ? number(utilization_after[day] ?? 0, wholePercent)
          : { value: 'closed', align: 'right', ...top },
      ]),
      text(kept_open_by ?? (open.length === 0 ? 'It closes.' : '')),
    ]),
  ]
}

/** The places of each team, a row each; the CSV has a row for each team, weekday and floor. */
const seatRows = ({ teams, weekdays }: ScenarioResult, names: Names): Cell[][] => {
  const short = shortNames(teams.map(({ name }) => name))
  return [
    headings(['Team', ...weekdays.map((day) => dayNames[day] ?? day)], ['Moved']),
    ...teams.map(({ name, seats, moved_people: moved }, at) => [
      text(short[at] ?? name),
      ...weekdays.map((day) =>
        text(
          seats
            .filter(({ weekday }) => weekday === day)
            .map(({ space_id: id, places }) => `${names.get(id) ?? id}: ${places}`)
            .join('\n'),
        ),
      ),
      number(moved),
    ]),
  ]
}

/** The saving of each floor as a formula over its cost, in major units. */
function savingRows(
  { saving, saving_missing: missing, floors }: ScenarioResult,
  names: Names,
): { rows: Cell[][]; total: Cell } {
  if (saving === null) return { rows: [[text(missing ?? noSaving)]], total: null }
  const digits = minorDigits(saving.currency)
  const money = moneyFormat(saving.currency)
  const lines = saving.lines.map((line, at) => {
    const row = at + 2
    return [
      text(names.get(line.space_id) ?? line.name),
      number(line.annual_cost / 10 ** digits, money),
      number(line.avoidable_share, percent),
      number(line.closed_days),
      number(line.closed_days + (floors.find(({ space_id: id }) => id === line.space_id)?.open.length ?? 0)),
      formula(`ROUND(B${row}*C${row}*D${row}/E${row},${digits})`, line.amount / 10 ** digits, money),
      formula(`IF(D${row}=E${row},B${row}-F${row},0)`, line.rent / 10 ** digits, money),
    ]
  })
  const last = saving.lines.length + 1
  const sums = [
    formula(`SUM(F2:F${last})`, saving.amount / 10 ** digits, money),
    formula(`SUM(G2:G${last})`, saving.lines.reduce((sum, { rent }) => sum + rent, 0) / 10 ** digits, money),
  ]
  const heading = headings(
    ['Floor'],
    [
      ...['Cost of a year', 'Share that ends with a closed day', 'Closed days', 'Days of a week'],
      ...['Saving of a year', 'Rent until the lease ends'],
    ],
  )
  return {
    rows: [heading, ...lines, [bold('Total'), null, null, null, null, ...sums]],
    total: formula(`Saving!F${last + 1}`, saving.amount / 10 ** digits, money),
  }
}

function conclusionRows({ asked, result, locale }: ScenarioReport, total: Cell, names: Names): Cell[][] {
  const { conclusion, saving, risk, moved_people: moved, next_point: next, free, warnings } = result
  const { sentence } = textFor(locale)
  const money = saving === null ? '0' : moneyFormat(saving.currency)
  const [isAllWeek, totals] = [allWeekOf(result.floors), freeTotalsOf(result)]
  const left = (cell: Cell): Cell => cell && { ...cell, align: 'left' }
  return [
    [{ ...bold(asked.name), value: neutralizeFormulas(asked.name), fontSize: 16, wrap: false, height: 26 }],
    [bold('Conclusion'), text(conclusion)],
    [bold('Saving of a year'), left(total ?? text('none'))],
    [
      bold('Everyone has a place, share of days'),
      left(risk === null ? text('not known') : number(1 - risk.overflow_days, percent)),
    ],
    [bold('People without a place, on average'), text(sentence(formatPeople(risk?.people_without_place ?? 0)))],
    [bold('People who sit elsewhere, on the weekday on which most do'), left(number(moved))],
    [bold(`Floors that close all week, of ${totals.of_floors}`), left(number(totals.floors_all_week))],
    [bold(`Floor days a week that close, of ${totals.of_floor_days}`), left(number(totals.floor_days))],
    ...(next?.cost == null || saving === null
      ? []
      : [
          [
            bold(`Cost a year of the promise on ${sentence(formatShare(next.service_level))} of days`),
            left(number(next.cost / 10 ** minorDigits(saving.currency), money)),
          ],
        ]),
    [null],
    [bold('Floors that can close')],
    ...free.map(({ space_id: id, name, weekdays }) => [
      text(names.get(id) ?? name),
      text(isAllWeek({ space_id: id }) ? 'all week' : listDays(weekdays)),
    ]),
    ...(warnings.length === 0 ? [] : [[null], [bold('Notes')], ...warnings.map((warning) => [null, text(warning)])]),
  ]
}

const maxChanges = 1000

const assumptionRows = (report: ScenarioReport): Cell[][] => [
  ...assumptionsOf(report, maxChanges).map(([label, value]) => [bold(label), text(value)]),
  [null],
  ...[
    'Saving of a floor: cost of a year × share that ends with a closed day × closed days / days of a week.',
    'The rest of the cost, such as rent, ends only with the lease, and is in no saving.',
    'Days on which everyone has a place are counted over all sample paths of the forecast.',
  ].map((line, at) => [at === 0 ? bold('How it is computed') : null, text(line)]),
]
