import { compileTimestampFormat, isTimeName, isWeekdayName } from '@wp/tabular'
import type { IntakeWarning } from '../../raw-table.ts'
import type { ColumnPlan } from '../column-plan.ts'

/** Names of times are those of a cross table sooner than hours and weekdays are, of which a list may have two. */
const [minTimes, minColumns] = [2, 4]

const clock = String.raw`\d{1,2}(?:[:.h]\d{2})?`
const hour = new RegExp(`^(?=.*[:.h\\-–uap])h?${clock}(?:\\s*(?:-|–|bis|to)\\s*${clock})?\\s*(?:uhr|h|am|pm)?$`, 'i')
const date = /^(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})?|\d{1,2}\/\d{1,2}\/(?:\d{2}|\d{4}))$/
const readDay = compileTimestampFormat('D MMM YYYY')
const isWeek = (name: string) =>
  /^(?:kw|cw|w|wk|week|woche|semaine)[ ._-]?\d{1,2}$|^\d{4}[ -]?(?:w|kw)\d{1,2}$/i.test(name)

/** Returns true for the name of a month, alone or with its year, and for `2026-01` and `01/2026`. */
function isMonth(name: string): boolean {
  if (/^(?:\d{4}-(?:0[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])[/.]\d{4})$/.test(name)) return true
  const [, month] = /^(\p{L}{3,})\.?(?:[ -]?'?(?:\d{4}|\d{2}))?$/u.exec(name) ?? []
  return month !== undefined && readDay(`1 ${month} 2024`) !== undefined
}
const isYear = (name: string) => /^(?:19|20)\d\d$/.test(name)
const isDayOfMonth = (name: string) => /^\d{1,2}$/.test(name) && Number(name) >= 1 && Number(name) <= 31
const isPlainHour = (name: string) => /^\d{1,2}$/.test(name) && Number(name) <= 24

const kinds = [
  { word: 'hour', least: minColumns, isOne: (name: string) => hour.test(name) },
  { word: 'day', least: minTimes, isOne: (name: string) => date.test(name) },
  { word: 'weekday', least: minColumns, isOne: isWeekdayName },
  { word: 'month', least: minTimes, isOne: isMonth },
  { word: 'week', least: minTimes, isOne: isWeek },
  { word: 'year', least: minTimes, isOne: isYear },
  { word: 'day', least: 28, isOne: isDayOfMonth },
  // Without a sign of time, other things have numbers too.
  { word: 'hour', least: 8, isOne: isPlainHour },
] as const

/**
 * Finds the columns that are hours, days, weekdays, weeks, months or years: those of a cross table, which has a column
 * for each moment where other tables have a row. A forecast of one of them is no forecast of the whole. In a roster,
 * which has words or crosses in place of numbers, most columns are such.
 */
export function findCrossColumns(
  plans: readonly ColumnPlan[],
): { word: (typeof kinds)[number]['word']; names: string[] } | undefined {
  const numbers = plans.filter(({ type }) => type === 'number').map(({ name }) => name)
  const all = plans.map(({ name }) => name)
  for (const columns of [numbers, all])
    for (const { word, least, isOne } of kinds) {
      const names = columns.filter((name) => isOne(name.trim()))
      if (names.length >= least && names.length * 2 > columns.length) return { word, names }
    }
  return undefined
}

/** Names of spaces: `Floor 1`, `3. OG`, `Room A`, `North`. `Stock A` may be of goods, `Desks` are several. */
const named =
  'floor|level|lvl|etage|ebene|stockwerk|geschoss|og|ug|room|raum|zimmer|zone|wing|building|gebäude|haus|desk'
const space = new RegExp(
  `^(?:(?:${named}|stock)[ ._-]?\\d{1,4}|(?:${named})[ ._-][a-z]\\d{0,3}|\\d{1,2}(?:st|nd|rd|th)?[. -]*(?:${named}|stock)|[edu]g|ground floor|basement|(?:north|south|east|west|nord|süd|ost)(?: wing)?)$`,
  'iu',
)
const minSpaces = 2

/** Finds the columns of numbers that are spaces: those of a cross table with a row for each day or hour. */
function findSpaceColumns(plans: readonly ColumnPlan[]): string[] {
  const numbers = plans.filter(({ type }) => type === 'number').map(({ name }) => name)
  const names = numbers.filter((name) => space.test(name.trim()))
  const hasTimes = plans.some(({ type, name }) => type === 'timestamp' || isTimeName(name))
  return hasTimes && names.length >= minSpaces && names.length * 2 > numbers.length ? names : []
}

/** Returns the warning about a cross table. */
export function crossTableWarning(plans: readonly ColumnPlan[]): IntakeWarning[] {
  const found = findCrossColumns(plans)
  const spaces = found === undefined ? findSpaceColumns(plans) : []
  if (spaces.length > 0) {
    const message = `The columns "${spaces[0]}" to "${spaces.at(-1)}" are spaces: this is a cross table. Forecasts read one of these columns, utilization reads one row for each time and space. In Excel, turn columns into rows with Data, From Table, Unpivot Columns, and export again`
    return [{ code: 'cross_table', message }]
  }
  if (found === undefined) return []
  const { word, names } = found
  const what = `The columns "${names[0]}" to "${names.at(-1)}" are ${word}s: this is a cross table.`
  const message =
    word === 'weekday' || word === 'month' || word === 'year'
      ? `${what} ${word === 'weekday' ? 'Without dates it cannot be forecast' : 'Forecasts need hours, days or weeks'}. Export the days themselves, one row for each day or hour`
      : `${what} Utilization and forecasts read one row for each ${word}. In Excel, turn columns into rows with Data, From Table, Unpivot Columns, and export again`
  return [{ code: 'cross_table', message }]
}
