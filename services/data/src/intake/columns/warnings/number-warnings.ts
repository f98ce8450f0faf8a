import {
  type ColumnNote,
  countValues,
  isAmountName,
  isFloorName,
  isIdentifierName,
  isNameOfRole,
  isNullWord,
  scanNumber,
  wordsOf,
} from '@wp/tabular'
import type { Row } from '../../../parsers/row.ts'
import type { Remark } from '../../raw-table.ts'
import type { ColumnPlan } from '../column-plan.ts'
import { placeholderOf } from './row-warnings.ts'
import { looksLikeDates } from './time-warnings.ts'

/** A number that may stand for no value. */
export function possibleNull(plan: ColumnPlan, rows: number): Remark {
  const [value] = possibleNulls(plan, rows)
  const text = `is never negative but for ${value}, which may stand for no value. If so, add it to \`format.nulls\``
  return value === undefined ? undefined : ['possible_null', text]
}

/** Numbers that are kept as text, with the reason. */
export function keptAsText(plan: ColumnPlan): Remark {
  if (plan.decision.outcome === 'string' && plan.decision.note === 'mixed_units') return mixedUnits(plan)
  const reason = reasonOfText(plan)
  return reason === undefined ? undefined : ['kept_as_text', `is kept as text: ${reason}`]
}

function reasonOfText(plan: ColumnPlan): string | undefined {
  const { decision, isPinned, evidence, name } = plan
  if (decision.outcome !== 'string' || decision.note === 'mixed_units') return undefined
  if (decision.note !== undefined) return notes[decision.note]
  const example = exampleOf(plan)
  if (!isPinned && !isLabel(name) && areInexact(evidence.examples))
    return `values such as "${example}" are shortened, not exact or two numbers in one, so forecasts cannot use it. Export whole numbers, each in a column of its own`
  const amount = isPinned || !isAmountName(name) ? undefined : evidence.examples.find((text) => amountText.test(text))
  if (amount !== undefined && evidence.errors === 0)
    return `values such as "${amount}" are no numbers, so it is not counted with. Export numbers alone`
  if (isPinned || !isMostlyNumbers(plan) || looksLikeDates(plan) || isLabel(name)) return undefined
  if (evidence.examples.every(isFloorName)) return undefined
  if (evidence.errors > 0)
    return 'it has errors of a spreadsheet, or "####" in place of values that its column is too narrow for. Correct them in the spreadsheet and export it again'
  return evidence.numbers.plain + evidence.typed.number === evidence.cells
    ? `its numbers are in quotes, such as "${example}", so forecasts cannot use it. Set its type to number, or export them without quotes`
    : `its numbers are written in another way, such as "${example}", so forecasts cannot use it. Export them as plain numbers`
}

/** Returns true for values such as `1.2k`, of which digits are missing, `rund 40` or `3/20`, and numbers among them. */
function areInexact(examples: readonly string[]): boolean {
  const values = examples.filter((text) => !isNullWord(text))
  return values.some((text) => inexact.test(text)) && values.every((text) => inexact.test(text) || scanNumber(text))
}

/** Begins with a number, as `24 (+4)`, `ca. 20` and `1,2 Mio. €` do. */
const amountText = /^(?:ca\.? ?|~ ?|\p{Sc} ?|[A-Z]{3} )?\d/u

/** `24/7` is a word for opening hours. */
const inexact = new RegExp(
  [
    '^\\d+(?:[.,]\\d+)? ?(?:[km万億千만억]|Tsd\\.?|Mio\\.?|Mrd\\.?|[*+?]|\\((?:ca|est|approx|env|gesch|schätz|szac|tahm)[^()]*\\))$',
    '^(?!24 ?/ ?7$)(?:\\d+ )?\\d+ ?(?:/|of|von|sur) ?\\d+$|^\\d* ?[¼-¾⅐-⅞]$',
    '^(?:ca\\.?|circa|[~±≈]|approx\\.?|about|around|etwa|rund|env\\.?|environ|max\\.?|min\\.?|ok\\.?|około|yaklaşık|約) ?\\d+$',
  ].join('|'),
  'iu',
)

/** Numbers of several units, which must not be added up. */
function mixedUnits({ evidence: { units } }: ColumnPlan): Remark {
  const [one, other] = [...units.values()].toSorted((a, b) => b.count - a.count).map(({ unit }) => unit)
  return [
    'mixed_units',
    `is kept as text: it has numbers of "${one}" and of "${other}", which cannot be added up. Export one unit in a column, or in a file of its own`,
  ]
}

const labelWords = /^(?:name|names|bezeichnung|label|title|titel)$/
const isLabel = (name: string): boolean => isNameOfRole(name) || wordsOf(name).some((word) => labelWords.test(word))

/** A column of counts with words between them, such as "closed" on days without people. */
export function numbersAndWords(plan: ColumnPlan, rows: readonly Row[]): Remark {
  if (!isHalfNumbers(plan)) return undefined
  const texts = rows.flatMap((row) => ('value' in row ? [row.value[plan.name]] : []))
  const word =
    texts.find((text) => typeof text === 'string' && !/\d/.test(text)) ??
    (isMostlyNumbers(plan)
      ? undefined
      : texts.find((text) => typeof text === 'string' && text !== '' && !scanNumber(text)))
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

const notes: Readonly<Record<Exclude<ColumnNote, 'mixed_units'>, string>> = {
  leading_zeros: 'it has numbers with leading zeros',
  too_many_digits: 'it has numbers with more digits than a number holds exactly',
  versions: 'its numbers look like versions',
  addresses: 'its numbers look like IP addresses',
  identifiers: 'its numbers look like identifiers',
  calendar:
    'its years are not of the Gregorian calendar, but maybe of the Islamic or the Persian. Forecasts cannot use it: convert the dates before the upload',
}

const minNumberShare = 0.9

/**
 * Returns true if most values of a column are numbers, or would be without a currency, a unit, brackets or the like.
 */
export function isMostlyNumbers({ evidence }: ColumnPlan): boolean {
  const { errors, numbers, quantities, markedNumbers, typed } = evidence
  const values = countValues(evidence)
  const numeric = numbers.numbers + quantities.numbers + markedNumbers + errors
  return values > 0 && numeric > errors && numeric + typed.number >= minNumberShare * values
}

const exampleOf = ({ evidence }: ColumnPlan): string =>
  evidence.examples.find((text) => !/^[-\d.,]*$/.test(text) && !isNullWord(text)) ?? evidence.examples[0] ?? ''

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
