import { proveDecimal } from '../number/decide-number.ts'
import type { DecimalMark } from '../number/marks.ts'
import { readBothWays } from '../number/number-evidence.ts'
import type { DateOrder } from '../time/date-order.ts'
import { formatOf } from '../time/decide-timestamp.ts'
import { compileColumnTimes } from '../time/timestamp-reader.ts'
import { type ColumnEvidence, numbersOf } from './column-evidence.ts'
import { type ColumnDecision, type ColumnHints, decideColumn } from './decide-column.ts'

export interface NamedColumn {
  name: string
  evidence: ColumnEvidence
  hints: ColumnHints
}

/** A column whose values have two readings. */
export interface Ambiguity {
  column: string
  kind: 'number' | 'order'
  /** Each reading, with the setting that chooses it. */
  settings: string[]
  /** True if all values so far are the same in each reading. */
  isSame?: boolean
  /** Up to three values with both readings. */
  values: { text: string; readings: string[] }[]
}

/** Decides all columns of a file; what one column proves helps to decide the others. */
export function decideColumns(columns: readonly NamedColumn[]): ColumnDecision[] {
  const alone = columns.map(({ name, evidence, hints }) => decideColumn(name, evidence, hints))
  const decimal = onlyOne(columns.flatMap(({ evidence }, index) => provedDecimal(evidence, alone[index])))
  const order = onlyOne(alone.flatMap((decision, index) => provedOrder(decision, columns[index]?.hints)))
  return columns.map(({ name, evidence, hints }, index) => {
    const first = alone[index] ?? decideColumn(name, evidence, hints)
    const isOpen = first.outcome === 'ambiguousNumber' || first.outcome === 'ambiguousOrder'
    return isOpen ? decideColumn(name, evidence, { decimal, order, ...hints }) : first
  })
}

/** Returns the ambiguity of a column, undefined if it is decided. */
export function ambiguityOf({ name, evidence }: NamedColumn, decision: ColumnDecision): Ambiguity | undefined {
  if (decision.outcome === 'ambiguousNumber') return ambiguousNumber(name, evidence, decision.mark)
  if (decision.outcome !== 'ambiguousOrder') return undefined
  const { orders, style } = decision.decision
  const formats = orders.map((order) => formatOf(style, order))
  const readers = formats.map(compileColumnTimes)
  return {
    column: name,
    kind: 'order',
    settings: formats,
    isSame: !style.differs,
    values: style.examples.map((text) => ({ text, readings: readers.map((read) => read(text) ?? 'no date') })),
  }
}

function ambiguousNumber(column: string, evidence: ColumnEvidence, mark: DecimalMark): Ambiguity {
  const values = numbersOf(evidence).ambiguous[mark].examples.flatMap((text) => {
    const both = readBothWays(text)
    return both === undefined ? [] : [{ text, readings: [`${both.grouped}`, `${both.decimal}`] }]
  })
  const other = mark === ',' ? '.' : ','
  return { column, kind: 'number', settings: [other, mark], values }
}

function provedDecimal(evidence: ColumnEvidence, decision: ColumnDecision | undefined): DecimalMark[] {
  if (decision?.outcome !== 'number') return []
  const proved = proveDecimal(numbersOf(evidence))
  return proved === undefined || proved === 'contradictory' ? [] : [proved]
}

/**
 * Returns the order that the values of a column show, or that is known of the files before. Dates with points or names
 * of months have the day first beside American ones too, as in exports of Oracle.
 */
function provedOrder(decision: ColumnDecision, { timestampFormat }: ColumnHints = {}): DateOrder[] {
  if (decision.outcome !== 'timestamp' || (decision.basis !== 'values' && timestampFormat === undefined)) return []
  const [, first] = /^([DM])\1?[/-](?!MMM)/.exec(decision.format ?? '') ?? []
  return first === undefined ? [] : [first === 'D' ? 'DMY' : 'MDY']
}

/** Returns the value that all have, undefined if there is none or they differ. */
function onlyOne<Value>(values: readonly Value[]): Value | undefined {
  const [first] = values
  return values.every((value) => value === first) ? first : undefined
}
