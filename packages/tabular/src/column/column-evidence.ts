import { scanMarkedNumber, unitKey } from '../number/marked-number.ts'
import { addNumber, createNumberEvidence, type NumberEvidence } from '../number/number-evidence.ts'
import { addTimestamp, createTimestampEvidence, type TimestampEvidence } from '../time/timestamp-evidence.ts'
import { isErrorValue, isNullWord } from './cell-reader.ts'

/** The types of cells that are typed before they are read, as those of JSON, workbooks and Parquet. */
type TypedCell = 'number' | 'boolean' | 'timestamp' | 'other'

/** Counts over the cells of a column, for the decision about its type and format. */
export interface ColumnEvidence {
  /** Cells with a text or a typed value. */
  cells: number
  empty: number
  /** Texts that may stand for no value, with their counts. */
  nulls: Map<string, number>
  errors: number
  numbers: NumberEvidence
  timestamps: TimestampEvidence
  booleans: number
  /** Numbers with a unit, without it, and the units that were found, by `unitKey`, with their counts. */
  quantities: NumberEvidence
  units: Map<string, { unit: string; count: number }>
  /** Numbers in brackets or with a minus behind them, and those with a plus. */
  bracketed: number
  /** Numbers that are `0`, which is the same in every unit. */
  zeros: number
  withPlus: number
  /** Texts that would be numbers without a currency, a unit, brackets, a sign behind them, or in other digits. */
  markedNumbers: number
  /** Times of day and ranges of them, by format. */
  timesOfDay: Map<string, number>
  /** Integers that may be seconds or milliseconds since 1970, and dates of eight digits. */
  epochSeconds: number
  epochMilliseconds: number
  compactDates: number
  typed: Record<TypedCell, number>
  /** Typed times after the 12th of a month. */
  typedLateDays: number
  /** The negative numbers of the column, as long as they are few. */
  negatives: Map<string, number>
  examples: string[]
}

/** Returns the evidence of the numbers of a column: of those with a unit, if they are more. */
export const numbersOf = ({ numbers, quantities }: ColumnEvidence): NumberEvidence =>
  quantities.numbers > numbers.numbers ? quantities : numbers

export const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** Returns the number of cells that stand for a value. */
export const countValues = ({ cells, nulls }: ColumnEvidence): number => cells - sumOf(nulls)

const maxExamples = 5
const maxExampleLength = 100
const maxNegatives = 3

export const createColumnEvidence = (): ColumnEvidence => ({
  cells: 0,
  empty: 0,
  errors: 0,
  booleans: 0,
  markedNumbers: 0,
  bracketed: 0,
  zeros: 0,
  withPlus: 0,
  typedLateDays: 0,
  epochSeconds: 0,
  epochMilliseconds: 0,
  compactDates: 0,
  nulls: new Map(),
  timesOfDay: new Map(),
  negatives: new Map(),
  examples: [],
  numbers: createNumberEvidence(),
  quantities: createNumberEvidence(),
  units: new Map(),
  timestamps: createTimestampEvidence(),
  typed: { number: 0, boolean: 0, timestamp: 0, other: 0 },
})

/**
 * Adds a text to the evidence of its column.
 * @param text without white space around it
 * @param extraNulls further texts that stand for no value
 * @param hasDelimiter true if the text contains the delimiter of its file
 */
export function addText(
  evidence: ColumnEvidence,
  text: string,
  extraNulls: ReadonlySet<string>,
  hasDelimiter = false,
): void {
  if (text === '') {
    evidence.empty++
    return
  }
  evidence.cells++
  if (evidence.examples.length < maxExamples && !evidence.examples.includes(text))
    evidence.examples.push(text.slice(0, maxExampleLength))
  if (extraNulls.has(text) || isNullWord(text)) increase(evidence.nulls, text)
  else if (isErrorValue(text)) evidence.errors++
  else if (addNumber(evidence.numbers, text, hasDelimiter)) addInteger(evidence, text)
  else if (!addTimestamp(evidence.timestamps, text)) addOther(evidence, text)
}

/** Adds a cell that has a type of its own. @param example its text, of a time in RFC 3339 */
export function addTyped(evidence: ColumnEvidence, type: TypedCell, example: string): void {
  evidence.cells++
  evidence.typed[type]++
  if (type === 'timestamp' && Number(example.slice(8, 10)) > 12) evidence.typedLateDays++
  if (evidence.examples.length < maxExamples && !evidence.examples.includes(example)) evidence.examples.push(example)
}

const firstEpoch = Date.UTC(2000) / 1000
const endOfEpochs = Date.UTC(2100) / 1000

function addInteger(evidence: ColumnEvidence, text: string): void {
  if (text === '0') evidence.zeros++
  const first = text.charCodeAt(0)
  if (first < 48 || first > 57) {
    if (evidence.negatives.size < maxNegatives || evidence.negatives.has(text)) increase(evidence.negatives, text)
    return
  }
  if (text.length < 8 || !/^\d+(?:\.\d{1,9})?$/.test(text)) return
  const value = Number(text)
  if (value >= firstEpoch && value < endOfEpochs) evidence.epochSeconds++
  if (value >= firstEpoch * 1000 && value < endOfEpochs * 1000) evidence.epochMilliseconds++
  if (text.length === 8 && /^(?:19[5-9]|20\d)/.test(text) && addTimestamp(evidence.timestamps, text))
    evidence.compactDates++
}

const timeOfDay =
  /^(?:\d{1,2}:\d{2}(?::\d{2})?(?:[ \u00a0\u202f]?[ap]\.?m\.?| ?Uhr)?|\d{1,2} ?(?:h(?:\d{2})?|Uhr)|\d{1,2}[ \u00a0\u202f]?[ap]\.?m\.?)$/i
const timeRange = /^(\d{1,2}:\d{2})(?::\d{2})? ?[-–—] ?(\d{1,2}:\d{2})(?::\d{2})?$/

const markedNumber =
  /^'?(?:[\p{Sc}(<>~≈]|\p{Lu}{3} ?){0,2} ?[-−+]?\p{Nd}[\p{Nd}.,'’ \u00a0\u202f]{0,30}(?: ?[-%‰\p{Sc})]){0,2}(?: \p{L}{1,12}[.²³]?)?$/u

function addOther(evidence: ColumnEvidence, text: string): void {
  if (/^(?:true|false)$/i.test(text)) evidence.booleans++
  else if (timeOfDay.test(text)) increase(evidence.timesOfDay, /m\.?$/i.test(text) ? 'hh:mm A' : 'HH:mm')
  else if (timeRange.test(text)) increase(evidence.timesOfDay, 'HH:mm-HH:mm')
  else if (!addMarkedNumber(evidence, text) && markedNumber.test(text)) evidence.markedNumbers++
}

/** Adds a number with a unit, or with a sign that plain numbers do not have. Returns false for any other text. */
function addMarkedNumber(evidence: ColumnEvidence, text: string): boolean {
  const marked = scanMarkedNumber(text)
  if (marked === undefined) return false
  const { number, unit, isSigned } = marked
  if (!addNumber(unit === '' ? evidence.numbers : evidence.quantities, number)) return false
  if (isSigned && text.startsWith('+')) evidence.withPlus++
  else if (isSigned) evidence.bracketed++
  if (unit === '') return true
  const key = unitKey(unit)
  const known = evidence.units.get(key)
  if (known !== undefined) known.count++
  else if (evidence.units.size < maxDistinct) evidence.units.set(key, { unit, count: 1 })
  return true
}

function increase(counts: Map<string, number>, key: string): void {
  const count = counts.get(key)
  if (count !== undefined || counts.size < maxDistinct) counts.set(key, (count ?? 0) + 1)
}

const maxDistinct = 50
