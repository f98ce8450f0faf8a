import { isIdentifierName, isNameOfRole, isTimeName, wordsOf } from '@wp/tabular'
import type { Row } from '../../parsers/row.ts'
import type { IntakeWarning } from '../raw-table.ts'
import type { ColumnPlan } from './column-plan.ts'
import { crossTableWarning, findCrossColumns } from './cross-table.ts'
import { placeholderOf, rowWarnings } from './row-warnings.ts'

/**
 * Returns what a user should know about the decisions.
 * @param rows the first rows as they are read
 * @param hidesValues leaves out examples of values
 */
export function columnWarnings(
  plans: readonly ColumnPlan[],
  rows: readonly Row[],
  hidesValues = false,
): IntakeWarning[] {
  const ofTable = crossTableWarning(plans)
  // Warnings of values say nothing without them.
  if (hidesValues) return ofTable
  const hasTimes = plans.some(({ type }) => type === 'timestamp')
  const hasNumbers = plans.some(({ type }) => type === 'number')
  const crossed = new Set(findCrossColumns(plans)?.names)
  const ofColumns = plans.flatMap((plan): IntakeWarning[] => {
    if (crossed.has(plan.name)) return []
    const remarks = [
      possibleNull(plan, rows.length),
      keptAsText(plan) ?? (hasTimes ? numbersAndWords(plan, rows) : undefined),
      ...(plan.type === 'timestamp' ? [mixedOffsets(plan), assumedOrder(plan), distantYears(plan, rows)] : []),
      ...(hasTimes ? [] : [unreadTimes(plan)]),
      ...(hasTimes && !hasNumbers ? [yesAndNo(plan)] : []),
    ]
    return remarks.flatMap((remark) => {
      if (remark === undefined) return []
      const [code, text] = remark
      return [{ code, column: plan.name, message: `Column "${plan.name}" ${text}` }]
    })
  })
  return [...ofTable, ...repeatedHeader(plans, rows), ...ofColumns, ...rowWarnings(plans, rows)]
}

/** Code and text of a warning. */
type Remark = readonly [code: string, text: string] | undefined

function possibleNull(plan: ColumnPlan, rows: number): Remark {
  const [value] = possibleNulls(plan, rows)
  const text = `is never negative but for ${value}, which may stand for no value. If so, add it to \`format.nulls\``
  return value === undefined ? undefined : ['possible_null', text]
}

function keptAsText(plan: ColumnPlan): Remark {
  const { decision, isPinned, evidence } = plan
  if (decision.outcome !== 'string') return undefined
  if (decision.note !== undefined) return ['kept_as_text', `is kept as text: ${notes[decision.note]}`]
  if (isPinned || !isMostlyNumbers(plan) || looksLikeDates(plan) || isLabel(plan.name)) return undefined
  if (evidence.errors > 0)
    return [
      'kept_as_text',
      'is kept as text: it has errors of a spreadsheet, or "####" in place of values that its column is too narrow for. Correct them in the spreadsheet and export it again',
    ]
  if (evidence.numbers.plain === evidence.cells)
    return [
      'kept_as_text',
      `is kept as text: its numbers are in quotes, such as "${exampleOf(plan)}", so forecasts cannot use it. Set its type to number, or export them without quotes`,
    ]
  return [
    'kept_as_text',
    `is kept as text: its numbers are written in another way, such as "${exampleOf(plan)}", so forecasts cannot use it. Export them as plain numbers`,
  ]
}

const labelWords = /^(?:name|names|bezeichnung|label|title|titel)$/
const isLabel = (name: string): boolean => isNameOfRole(name) || wordsOf(name).some((word) => labelWords.test(word))

/** A column of counts with words between them, such as "closed" on days without people. */
function numbersAndWords(plan: ColumnPlan, rows: readonly Row[]): Remark {
  if (!isHalfNumbers(plan)) return undefined
  const texts = rows.flatMap((row) => ('value' in row ? [row.value[plan.name]] : []))
  const word = texts.find((text) => typeof text === 'string' && !/\d/.test(text))
  if (typeof word !== 'string') return undefined
  return [
    'kept_as_text',
    `is kept as text, because "${word.slice(0, 50)}" stands between its numbers: forecasts cannot use it. Leave such cells empty and export it again`,
  ]
}

const minHalfShare = 0.5

/** Returns true if a column is read as text although half of its values are numbers. */
export function isHalfNumbers({ name, decision, isPinned, evidence: { cells, numbers, typed } }: ColumnPlan): boolean {
  if (decision.outcome !== 'string' || decision.note !== undefined || isPinned || isIdentifierName(name)) return false
  return cells > 0 && numbers.numbers + typed.number >= minHalfShare * cells
}

/** The names of the columns below the first rows: another table, whose rows would be added to those of the first. */
function repeatedHeader(plans: readonly ColumnPlan[], rows: readonly Row[]): IntakeWarning[] {
  const repeated = rows.find((row) =>
    'value' in row
      ? plans.every(({ name }) => row.value[name] === name)
      : row.column !== undefined && row.badValue === row.column,
  )
  if (repeated === undefined) return []
  const message = `Line ${repeated.line} repeats the names of the columns: another table may begin there. The rows of both are read as one table, and values of one day are added up. If they are of different buildings, upload each as a file of its own`
  return [{ code: 'repeated_header', message }]
}

function mixedOffsets({ evidence }: ColumnPlan): Remark {
  const formats = [...evidence.timestamps.styles.values()].flatMap(({ timeFormats }) => [...timeFormats.keys()])
  const ofTimes = formats.filter((format) => format !== '')
  if (ofTimes.every((format) => format.endsWith('Z')) || !ofTimes.some((format) => format.endsWith('Z')))
    return undefined
  return [
    'mixed_offsets',
    'has times with an offset from UTC and times without one; those without are times of the time zone that a forecast names',
  ]
}

function assumedOrder({ decision }: ColumnPlan): Remark {
  if (decision.outcome !== 'timestamp' || decision.basis === undefined) return undefined
  const basis = bases[decision.basis]
  const text = `is read as ${decision.format}: ${basis}. If this is wrong, set \`format.timestamp_formats\``
  return basis === undefined ? undefined : ['assumed_date_order', text]
}

const [firstYear, lastYear] = [1950, 2100]
/** Directories write 31 December 9999 for no end. */
const openEnd = 9999

function distantYears({ name }: ColumnPlan, rows: readonly Row[]): Remark {
  for (const row of rows) {
    const value = 'value' in row ? row.value[name] : undefined
    if (typeof value !== 'string') continue
    const year = Number(value.slice(0, 4))
    return (year >= firstYear && year <= lastYear) || year === openEnd
      ? undefined
      : ['distant_years', `has years such as ${year}. If they are of another calendar, convert them before the upload`]
  }
  return undefined
}

const periodName =
  /^(?:week|weeks|woche|wochen|kw|semaine|semana|month|months|monat|mois|mes|quarter|quartal|trimestre)$/

/** A column that is named after times in a table without any: its values are in a form that is not read. */
function unreadTimes({ name, type, timeOfDay, evidence }: ColumnPlan): Remark {
  const isNamed = isTimeName(name) || wordsOf(name).some((word) => periodName.test(word))
  const [example = ''] = evidence.examples
  const isOfTimes = isNamed ? /\d/.test(example) : looksLikeDates({ evidence })
  if (type !== 'string' && !isNamed) return undefined
  if (type === 'boolean' || timeOfDay !== undefined || !isOfTimes) return undefined
  return [
    'unread_times',
    `is not read as times, because values such as "${example}" are no dates: forecasts cannot use the file. Write dates such as 2026-01-31`,
  ]
}

const dateLike = /(?:^|\D)(?:\d{4}\D{1,3}\d{1,2}\D{1,3}\d{1,2}|\d{1,2}\D{1,3}\d{1,2}\D{1,3}\d{4})(?:\D|$)/

/** Returns true if all values have the digits of a day, a month and a year. */
const looksLikeDates = ({ evidence: { examples } }: Pick<ColumnPlan, 'evidence'>): boolean =>
  examples.length > 0 && examples.every((text) => dateLike.test(text))

/** A count of rows would count those with no as well. */
function yesAndNo(plan: ColumnPlan): Remark {
  if (!isYesOrNo(plan)) return undefined
  const advice =
    plan.type === 'boolean'
      ? 'Count the values of this column, which counts those with yes'
      : 'Upload only the rows that are to be counted'
  return ['yes_and_no', `says yes or no: a count of the rows counts both. ${advice}`]
}

const yesOrNo =
  /^(?:yes|no|y|n|true|false|ja|nein|j|wahr|falsch|oui|non|vrai|faux|s[ií]|present|absent|anwesend|abwesend)$/i

/** Returns true if all values of a column say yes or no. */
export const isYesOrNo = ({ type, evidence: { examples } }: ColumnPlan): boolean =>
  type === 'boolean' || (type === 'string' && examples.length > 0 && examples.every((text) => yesOrNo.test(text)))

const notes = {
  leading_zeros: 'it has numbers with leading zeros',
  too_many_digits: 'it has numbers with more digits than a number holds exactly',
  versions: 'its numbers look like versions',
  addresses: 'its numbers look like IP addresses',
  identifiers: 'its numbers look like identifiers',
} as const

const minNumberShare = 0.9

/**
 * Returns true if most values of a column are numbers, or would be without a currency, a unit, brackets or the like.
 */
export function isMostlyNumbers({ evidence }: ColumnPlan): boolean {
  const { cells, errors, numbers, markedNumbers, nulls } = evidence
  const values = cells - [...nulls.values()].reduce((sum, count) => sum + count, 0)
  const numeric = numbers.numbers + markedNumbers + errors
  return values > 0 && numeric > errors && numeric >= minNumberShare * values
}

const exampleOf = ({ evidence }: ColumnPlan): string =>
  evidence.examples.find((text) => !/^[-\d.,]*$/.test(text)) ?? evidence.examples[0] ?? ''

const bases: Readonly<Record<string, string | undefined>> = {
  points: 'dates with points have the day first',
  columns: 'other columns of dates have this order',
  sequence: 'only so the dates follow each other without gaps',
}

const placeholders = /^[-−](?:1|9{1,5})(?:[.,]0+)?$/

/** Returns a number such as 9999 that is far above the others, as `format.nulls` has it. */
export function highNulls({ type }: ColumnPlan, values: Iterable<unknown>): string[] {
  const value = type === 'number' ? placeholderOf(values) : undefined
  return value === undefined ? [] : [`${value}`]
}

/** Returns negative numbers such as -1 or -999 that alone are negative in their column, and repeated. */
export function possibleNulls({ type, evidence }: ColumnPlan, rows: number): string[] {
  if (type !== 'number' || evidence.negatives.size !== 1) return []
  return [...evidence.negatives].flatMap(([text, count]) =>
    placeholders.test(text) && count >= 3 && count < rows && evidence.numbers.negative === count ? [text] : [],
  )
}

/** Returns the one word between the numbers of a column, which may stand for no value. */
export function wordBetweenNumbers(plan: ColumnPlan, values: Iterable<unknown>): string[] {
  if (!isHalfNumbers(plan)) return []
  const words = [...values].filter((value) => typeof value === 'string' && !/\d/.test(value))
  const [word] = words
  return words.length === 1 && typeof word === 'string' ? [word] : []
}
