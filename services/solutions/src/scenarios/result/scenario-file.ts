import { csvRow, neutralizeFormulas } from '@wp/tabular'
import type { AskedScenario, ScenarioResult } from '../scenario-job.ts'
import { dayNames, minorDigits } from './words.ts'

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Returns a scenario with places as a file for spreadsheets. */
export const scenarioFile = (asked: AskedScenario, result: ScenarioResult, format: 'xlsx' | 'csv') => ({
  contentType: format === 'csv' ? 'text/csv' : xlsxType,
  filename: `scenario.${format}`,
  open: async function* () {
    yield format === 'csv' ? Buffer.from(seatsCsv(result)) : await workbookOf(asked, result)
  },
})

type Cell = {
  value: string | number
  type?: 'Formula'
  format?: string
  fontWeight?: 'bold'
  wrap?: boolean
} | null

const text = (value: string): Cell => ({ value: neutralizeFormulas(value) })
const bold = (value: string): Cell => ({ value: neutralizeFormulas(value), fontWeight: 'bold' })
const number = (value: number, format?: string): Cell => ({ value, ...(format === undefined ? {} : { format }) })
const formula = (value: string, format: string): Cell => ({ value, type: 'Formula', format })
const percent = '0.0 %'

function seatRows({ teams, floors }: ScenarioResult): [team: string, weekday: string, floor: string, places: number][] {
  const nameOf = (id: string) => floors.find(({ space_id }) => space_id === id)?.name ?? id
  return teams.flatMap(({ name, seats }) =>
    seats.map(({ weekday, space_id, places }): [string, string, string, number] => [
      name,
      dayNames[weekday] ?? weekday,
      nameOf(space_id),
      places,
    ]),
  )
}

const seatsCsv = (result: ScenarioResult): string =>
  [['team', 'weekday', 'floor', 'places'], ...seatRows(result)].map((row) => csvRow(row)).join('')

async function workbookOf(asked: AskedScenario, result: ScenarioResult): Promise<Uint8Array> {
  // Loaded at its first use: most processes never write a workbook.
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const days = result.weekdays
  const headings = (...names: string[]) => names.map(bold)
  const saving = savingRows(result)
  return writeWorkbook([
    {
      sheet: 'Conclusion',
      data: conclusionRows(asked, result, saving.total),
      columns: [{ width: 34 }, { width: 100 }],
    },
    { sheet: 'Saving', data: saving.rows, columns: [{ width: 44 }, ...Array(6).fill({ width: 18 })] },
    {
      sheet: 'Floors',
      columns: [{ width: 44 }, { width: 10 }, ...days.flatMap(() => [{ width: 16 }, { width: 16 }]), { width: 80 }],
      data: [
        headings(
          'Floor',
          'Places',
          ...days.flatMap((day) => [`${dayNames[day]}, today`, `${dayNames[day]}, planned`]),
          'Kept open by',
        ),
        ...result.floors.map(({ name, capacity, open, utilization_before, utilization_after, kept_open_by }) => [
          text(name),
          number(capacity),
          ...days.flatMap((day) => [
            number(utilization_before[day] ?? 0, percent),
            open.includes(day) ? number(utilization_after[day] ?? 0, percent) : text('closed'),
          ]),
          text(kept_open_by ?? ''),
        ]),
      ],
    },
    {
      sheet: 'Teams',
      columns: [{ width: 44 }, { width: 14 }, { width: 44 }, { width: 10 }],
      data: [
        headings('Team', 'Weekday', 'Floor', 'Places'),
        ...seatRows(result).map(([team, weekday, floor, places]) => [
          text(team),
          text(weekday),
          text(floor),
          number(places),
        ]),
      ],
    },
    { sheet: 'Assumptions', data: assumptionRows(asked, result), columns: [{ width: 34 }, { width: 100 }] },
  ]).toBuffer()
}

/** The saving of each floor as a formula over its cost, in major units. */
function savingRows({ saving, weekdays }: ScenarioResult): { rows: Cell[][]; total: string | null } {
  const heading = [
    'Floor',
    'Cost of a year',
    'Share that ends',
    'Closed days',
    'Days of a week',
    'Saving of a year',
    'Rent until the lease ends',
  ]
  if (saving === null)
    return { rows: [[text('No floor closes that has a cost, or the costs are in several currencies.')]], total: null }
  const digits = minorDigits(saving.currency)
  const money = `#,##0${digits === 0 ? '' : `.${'0'.repeat(digits)}`} "${saving.currency}"`
  const lines = saving.lines.map(({ name, annual_cost: cost, avoidable_share: share, closed_days: closed }, at) => {
    const row = at + 2
    return [
      ...[
        text(name),
        number(cost / 10 ** digits, money),
        number(share, percent),
        number(closed),
        number(weekdays.length),
      ],
      formula(`ROUND(B${row}*C${row}*D${row}/E${row},${digits})`, money),
      formula(`IF(D${row}=E${row},ROUND(B${row}-B${row}*C${row},${digits}),0)`, money),
    ]
  })
  const last = saving.lines.length + 1
  const sums = [formula(`SUM(F2:F${last})`, money), formula(`SUM(G2:G${last})`, money)]
  return {
    rows: [heading.map(bold), ...lines, [bold('Total'), null, null, null, null, ...sums]],
    total: `Saving!F${last + 1}`,
  }
}

function conclusionRows({ name }: AskedScenario, result: ScenarioResult, total: string | null): Cell[][] {
  const { conclusion, saving, risk, moved_people: moved, next_point: next, free, warnings } = result
  const money = saving === null ? '0' : `#,##0.00 "${saving.currency}"`
  return [
    [bold(name)],
    [bold('Conclusion'), { value: neutralizeFormulas(conclusion), wrap: true }],
    [bold('Saving of a year'), total === null ? text('none') : formula(total, money)],
    [bold('Days without a place for all'), number(risk?.overflow_days ?? 0, percent)],
    [bold('People without a place, on average'), number(risk?.people_without_place ?? 0, '0.00')],
    [bold('People who sit elsewhere'), number(moved)],
    ...(next?.cost == null || saving === null
      ? []
      : [[bold('One more point of service level'), number(next.cost / 10 ** minorDigits(saving.currency), money)]]),
    [null],
    [bold('Floors that can close')],
    ...free.map(({ name: floor, weekdays }) => [text(floor), text(weekdays.map((day) => dayNames[day]).join(', '))]),
    ...(warnings.length === 0 ? [] : [[null], [bold('Notes')], ...warnings.map((warning) => [text(warning)])]),
  ]
}

function assumptionRows(asked: AskedScenario, { gap }: ScenarioResult): Cell[][] {
  const { changes, objective, service_level: level, forecast_run_id: run, space_id: space } = asked
  const counts = Object.entries(changes).flatMap(([kind, list]) =>
    list.map((change, at) => [text(at === 0 ? `Changes: ${kind}` : ''), text(JSON.stringify(change))]),
  )
  return [
    [bold('Objective'), text(objective)],
    [bold('Service level'), number(level, percent)],
    [bold('Forecast'), text(run)],
    [bold('Site or building'), text(space ?? 'all')],
    [bold('Gap of the solution'), number(gap ?? 0, percent)],
    ...counts,
    [null],
    [text('Saving of a floor: cost of a year × share that ends with a closed day × closed days / days of a week.')],
    [text('The rest of the cost, such as rent, ends only with the lease, and is in no saving.')],
    [text('Days without a place are counted over all sample paths of the forecast.')],
  ]
}
