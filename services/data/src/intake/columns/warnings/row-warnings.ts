import { directionOf, directionWords, hasWord, isAccess, isIdentifierName, isNameOfRole } from '@wp/tabular'
import type { Row, ValidRow } from '../../../parsers/row.ts'
import type { IntakeWarning, Remark } from '../../raw-table.ts'
import type { ColumnPlan } from '../column-plan.ts'
import { isTotalLabel } from '../footers.ts'
import { findRunningTotal } from './running-totals.ts'

type Values = ValidRow['value']

/** Returns what a user should know about rows that are read right but may mean something else than they seem to. */
export function rowWarnings(plans: readonly ColumnPlan[], rows: readonly Row[]): IntakeWarning[] {
  const values = rows.flatMap((row) => ('value' in row ? [row.value] : []))
  const hasTimes = plans.some(({ type }) => type === 'timestamp')
  const hasNumbers = plans.some(({ type }) => type === 'number')
  const first = plans[0]
  const found = plans.map((plan): Remark[] => [
    shortenedNumbers(plan),
    nestedValues(plan),
    wrongLetters(plan, values),
    ...(hasTimes ? [deniedAccess(plan, values), unreadDirections(plan, values)] : []),
    // Without numbers its rows are counted.
    ...(hasNumbers || plan === first ? [totalsAmongParts(plan, values)] : []),
    ...(hasNumbers ? [totalOfColumns(plan, plans, values)] : []),
    ...(hasTimes && hasNumbers ? [highPlaceholder(plan, values)] : []),
    ...(hasTimes ? [runningTotal(plan, plans, values)] : []),
    ...(plan === first ? [emptyBelow(plan, values)] : []),
  ])
  return found.flatMap((remarks, at) => {
    const column = plans[at]?.name ?? ''
    return remarks.flatMap((remark) =>
      remark === undefined ? [] : [{ code: remark[0], column, message: `Column "${column}" ${remark[1]}` }],
    )
  })
}

const isShortened = (text: string): boolean => /^\d(?:[.,]\d+)?E\+\d+$/i.test(text)

/** Numbers of cards such as 4.57E+17, of which a spreadsheet has dropped digits. */
function shortenedNumbers({ name, evidence: { examples } }: ColumnPlan): Remark {
  const example = isIdentifierName(name) || isNameOfRole(name) ? examples.find(isShortened) : undefined
  if (example === undefined) return undefined
  return [
    'shortened_numbers',
    `has numbers such as "${example}", of which a spreadsheet dropped digits, so that different ones became equal. Export the file again without opening it in a spreadsheet`,
  ]
}

function nestedValues({ evidence: { typed } }: ColumnPlan): Remark {
  if (typed.other === 0) return undefined
  return [
    'nested_values',
    'holds objects or lists, which are stored but cannot be counted or grouped. Export a member of its own for each value',
  ]
}

/** Letters of UTF-8 that a program has read as those of Windows, and written again. */
const wronglyDecoded = /Ã[\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ]|â‚¬|â€[™œ“”]/u

function wrongLetters({ name, type }: ColumnPlan, rows: readonly Values[]): Remark {
  const texts = [name, ...(type === 'string' ? rows.map((row) => row[name]) : [])]
  const example = texts.find((text): text is string => typeof text === 'string' && wronglyDecoded.test(text))
  if (example === undefined) return undefined
  return [
    'wrong_letters',
    `has letters such as "${example.slice(0, 50)}", which a program before has read in the wrong encoding. They join no names that are written right: export the file again as UTF-8`,
  ]
}

/** Returns the texts of a column that has few; none if it has many. */
function wordsOfColumn({ name, type }: ColumnPlan, rows: readonly Values[]): ReadonlyMap<string, number> {
  const words = new Map<string, number>()
  if (type !== 'string') return words
  for (const row of rows) {
    const value = row[name]
    if (typeof value !== 'string' || value === '') continue
    words.set(value, (words.get(value) ?? 0) + 1)
    if (words.size > maxWords) return new Map()
  }
  return words
}

const maxWords = 200

function deniedAccess(plan: ColumnPlan, rows: readonly Values[]): Remark {
  const words = [...wordsOfColumn(plan, rows).keys()]
  const denied = words.find((word) => isAccess(word, 'denied'))
  if (denied === undefined || !words.some((word) => isAccess(word, 'granted'))) return undefined
  return [
    'denied_access',
    `has rows such as "${denied.slice(0, 50)}": people who did not get in. Export without them, or choose badge events with this column as their direction, which leaves them out`,
  ]
}

const maxDirections = 4

/** Codes of a direction, without which people count as there until the space closes. */
function unreadDirections({ name, type }: ColumnPlan, rows: readonly Values[]): Remark {
  const isNamed = directionWords.slice(0, 1).some((pattern) => hasWord(name, pattern))
  const values = isNamed && type !== 'timestamp' ? [...new Set(rows.map((row) => `${row[name] ?? ''}`))] : []
  const code = values.find((value) => value !== '')
  const isRead = (value: string) => directionOf(value) !== undefined || isAccess(value, 'granted')
  if (code === undefined || values.length > maxDirections || values.some(isRead)) return undefined
  return [
    'unread_directions',
    `has values such as "${code.slice(0, 50)}", which are not read as in or out. Of badge events, people then count until the space closes: export words such as "in" and "out"`,
  ]
}

/** Words that also name a team or a state. */
const vagueTotal = /^(?:all|alle)$/i
const subtotal = /^(?:total|ergebnis|summe|sum|gesamt|totale|totaal|somma|suma)$/i
const minVague = 3

/** Rows of the whole beside those of its parts, in each of which people would be counted twice. */
function totalsAmongParts({ name, type }: ColumnPlan, rows: readonly Values[]): Remark {
  if (type !== 'string') return undefined
  const totals = new Map<string, number>()
  const all = new Set(rows.map((row) => row[name]))
  // Subtotals of Excel are named `North Total` and `North Ergebnis`.
  const isOfPart = (text: string, at: number) => all.has(text.slice(0, at)) && subtotal.test(text.slice(at + 1))
  let parts = 0
  for (const { [name]: value } of rows) {
    if (typeof value !== 'string' || value === '') continue
    const label = value.trim()
    if (isTotalLabel(label) || vagueTotal.test(label) || isOfPart(label, label.lastIndexOf(' ')))
      totals.set(value, (totals.get(value) ?? 0) + 1)
    else parts++
  }
  const total = [...totals].find(([word, count]) => count >= (vagueTotal.test(word.trim()) ? minVague : 1))
  if (total === undefined || parts === 0) return undefined
  return [
    'totals_among_parts',
    `has rows of the whole ("${total[0].slice(0, 50)}") beside those of its parts: added up, people count twice. Export without them`,
  ]
}

/** A column such as `Grand Total` of a pivot table, in which the people of the others count twice. */
function totalOfColumns({ name, type }: ColumnPlan, plans: readonly ColumnPlan[], rows: readonly Values[]): Remark {
  const parts = plans.filter((plan) => plan.type === 'number' && plan.name !== name).map((plan) => plan.name)
  if (type !== 'number' || !isTotalLabel(name.trim()) || parts.length < 2) return undefined
  const isSum = (row: Values) => parts.reduce((sum, part) => sum + Number(row[part] ?? 0), 0) === row[name]
  if (rows.length === 0 || rows.filter(isSum).length * 2 < rows.length) return undefined
  return [
    'total_of_columns',
    'is the total of the other columns of numbers: beside them, its people count twice. If these are spaces, turn columns into rows, without the total, and export again',
  ]
}

const minPlaceholders = 3

function highPlaceholder({ name, type }: ColumnPlan, rows: readonly Values[]): Remark {
  if (type !== 'number') return undefined
  const values = rows.map((row) => row[name])
  const value = placeholderOf(values)
  if (value === undefined || values.filter((other) => other === value).length < minPlaceholders) return undefined
  return [
    'possible_null',
    `has ${value} far above its other values, which may stand for no value. If so, add it to \`format.nulls\``,
  ]
}

/** Returns a number such as 9999 that is more than twice any other one; undefined without one. */
export function placeholderOf(values: Iterable<unknown>): number | undefined {
  let [highest, second] = [0, 0]
  for (const value of values) {
    if (typeof value !== 'number' || value === highest) continue
    if (value > highest) [highest, second] = [value, highest]
    else if (value > second) second = value
  }
  return /^9{3,}$/.test(`${highest}`) && second > 0 && second * 2 < highest ? highest : undefined
}

function runningTotal(plan: ColumnPlan, plans: readonly ColumnPlan[], rows: readonly Values[]): Remark {
  const found = findRunningTotal(plan, plans, rows)
  if (found === undefined) return undefined
  const resets = found === 'daily' ? 'within each day' : 'from row to row'
  return [
    'running_total',
    `never falls ${resets}: it seems to be the total so far, as counters show it. Added up, the same people count again in every row. Export the count of each interval`,
  ]
}

const minEmptyShare = 0.2
const minRowsWithEmpty = 10

/** Cells below a value that are empty in its place, as in a pivot table or where cells are merged. */
function emptyBelow({ name }: ColumnPlan, rows: readonly Values[]): Remark {
  const filled = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined && value !== '')
  const empty = rows.length - filled.length
  const first = rows[0]?.[name]
  if (rows.length < minRowsWithEmpty || empty < rows.length * minEmptyShare) return undefined
  if (first === undefined || first !== filled[0]) return undefined
  if (new Set(filled).size < filled.length) return undefined
  return [
    'empty_below',
    `is empty in ${empty} of ${rows.length} rows. If an empty cell stands for the value above it, fill these cells (in a pivot table: Repeat All Item Labels) and export again`,
  ]
}
