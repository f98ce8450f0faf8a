import { isIdentifierName, isTimeName, isVersionName } from '../column-names.ts'
import { isNameOfRole, isOnlySpaceName, isRoomName } from '../dataset/find-roles.ts'
import { decideNumberFormat, type NumberDecision } from '../number/decide-number.ts'
import type { DecimalMark, NumberFormat } from '../number/marks.ts'
import { type NumberEvidence, shapesOf } from '../number/number-evidence.ts'
import type { DateOrder } from '../time/date-order.ts'
import { decideTimestampFormat, type OrderBasis, type TimestampDecision } from '../time/decide-timestamp.ts'
import { type ColumnEvidence, countValues, numbersOf, sumOf } from './column-evidence.ts'

export type ColumnType = 'string' | 'number' | 'boolean' | 'timestamp'

/** The known part of a column, and what other columns show. */
export interface ColumnHints {
  /** The type that is declared or pinned. */
  type?: ColumnType | undefined
  /** True if a value that is not of `type` must not change the type. */
  isDeclared?: boolean | undefined
  marks?: NumberFormat | undefined
  /** The unit that is pinned. */
  unit?: string | undefined
  timestampFormat?: string | undefined
  decimal?: DecimalMark | undefined
  order?: DateOrder | undefined
  /** True for the column with the keys of the rows, whose numbers are identifiers. */
  isKey?: boolean | undefined
  /** True in JSON, where the text of a number without marks is a text. */
  keepsPlainNumbers?: boolean | undefined
}

export type ColumnDecision =
  | { outcome: 'string'; timeOfDay: string | undefined; note?: ColumnNote }
  | { outcome: 'boolean' }
  | { outcome: 'number'; format: NumberFormat; unit?: string | undefined; confidence: number }
  | { outcome: 'timestamp'; format: string | undefined; confidence: number; basis?: OrderBasis; order?: DateOrder }
  | { outcome: 'ambiguousNumber'; mark: DecimalMark }
  | { outcome: 'ambiguousOrder'; decision: TimestampDecision & { outcome: 'ambiguous' } }

/** Why numbers or dates were left as text. */
export type ColumnNote =
  | 'leading_zeros'
  | 'too_many_digits'
  | 'versions'
  | 'addresses'
  | 'identifiers'
  | 'calendar'
  | 'mixed_units'

/** The share of values that must be of a type. */
const minShare = 0.9

/** Decides the type and format of a column. */
export function decideColumn(name: string, evidence: ColumnEvidence, hints: ColumnHints): ColumnDecision {
  if (hints.type === 'string') return asText(evidence)
  if (hints.type === 'boolean') return { outcome: 'boolean' }
  const values = countValues(evidence)
  const isEnough = (readable: number) => values > 0 && readable >= values * minShare
  const timestamp = hints.type === 'number' ? undefined : decideTime(name, evidence, hints, isEnough)
  if (timestamp !== undefined) return timestamp
  if (hints.type === 'timestamp') return { outcome: 'timestamp', format: undefined, confidence: 1 }
  const number = decideNumber(name, evidence, hints, isEnough, values)
  if (number !== undefined) return number
  if (hints.type === 'number') return { outcome: 'number', format: hints.marks ?? {}, confidence: 1 }
  if (isEnough(evidence.booleans + evidence.typed.boolean) && evidence.booleans + evidence.typed.boolean === values)
    return { outcome: 'boolean' }
  return asText(evidence)
}

function decideTime(
  name: string,
  evidence: ColumnEvidence,
  { type, timestampFormat, order }: ColumnHints,
  isEnough: (readable: number) => boolean,
): ColumnDecision | undefined {
  if (timestampFormat !== undefined) return { outcome: 'timestamp', format: timestampFormat, confidence: 1 }
  const isNamed = type === 'timestamp' || isTimeName(name)
  const { plain } = evidence.numbers
  if (isNamed && isEnough(evidence.epochSeconds) && evidence.epochSeconds >= plain)
    return { outcome: 'timestamp', format: 'X', confidence: 0.9 }
  if (isNamed && isEnough(evidence.epochMilliseconds) && evidence.epochMilliseconds === plain)
    return { outcome: 'timestamp', format: 'x', confidence: 0.9 }
  if (evidence.compactDates > 0 && !isNamed) return undefined
  const decision = decideTimestampFormat(evidence.timestamps, order)
  if (decision.outcome === 'none' || !(type === 'timestamp' || isEnough(decision.readable + evidence.typed.timestamp)))
    return isEnough(evidence.typed.timestamp) ? { outcome: 'timestamp', format: undefined, confidence: 1 } : undefined
  if (decision.outcome === 'ambiguous') return isVersionName(name) ? undefined : { outcome: 'ambiguousOrder', decision }
  const { format, confidence, basis } = decision
  if (decision.ancient * 2 > decision.readable) return { ...asText(evidence), note: 'calendar' }
  return { outcome: 'timestamp', format, confidence, basis, order: decision.order }
}

function decideNumber(
  name: string,
  evidence: ColumnEvidence,
  hints: ColumnHints,
  isEnough: (readable: number) => boolean,
  values: number,
): ColumnDecision | undefined {
  const { type, marks, decimal, keepsPlainNumbers, isKey } = hints
  const { typed } = evidence
  const numbers = numbersOf(evidence)
  const unit = unitOf(evidence, hints)
  const note = type === 'number' ? undefined : noteOn(name, evidence)
  if (note !== undefined) return { ...asText(evidence), note }
  // `12 m` may be a room, `12 %` is none: a share of the room.
  const isName = unit !== undefined && unit !== '%' && isNameOfRole(name)
  if (type !== 'number' && (hasOddSigns(evidence) || isName)) return undefined
  const pinned = decideNumberFormat(numbers, { decimal, pinned: marks })
  const isPinnedRead = type !== undefined || marks === undefined || isReadable(pinned, typed.number, isEnough)
  // Marks that are stated for a whole file do not apply to a column that has others.
  const decision = isPinnedRead ? pinned : decideNumberFormat(numbers, { decimal })
  if (decision.outcome === 'none')
    return isEnough(typed.number) ? { outcome: 'number', format: marks ?? {}, confidence: 1 } : undefined
  const readable = decision.readable + typed.number + (unit === undefined ? 0 : evidence.zeros)
  if (type !== 'number' && !isEnough(readable)) return undefined
  if (type !== 'number' && keepsPlainNumbers && numbers.numbers > 0 && areJsonNumbers(numbers)) return asText(evidence)
  if (type !== 'number' && (isKey || isIdentifierName(name)) && (readable < values || decision.outcome === 'ambiguous'))
    return { ...asText(evidence), note: 'identifiers' }
  if (decision.outcome === 'ambiguous') return { outcome: 'ambiguousNumber', mark: decision.mark }
  return { outcome: 'number', format: decision.format, unit, confidence: decision.confidence }
}

/** Returns the unit of the numbers. A pinned column has the one that is pinned with it, or none. */
function unitOf(evidence: ColumnEvidence, { type, isDeclared, unit }: ColumnHints): string | undefined {
  if (unit !== undefined || (type === 'number' && isDeclared !== true)) return unit
  const [found] = evidence.units.values()
  return numbersOf(evidence) === evidence.quantities ? found?.unit : undefined
}

/** Returns true if signs belong to the texts, as in `(5)` of footnotes and `+49` of telephones, not to numbers. */
function hasOddSigns(evidence: ColumnEvidence): boolean {
  const { numbers, negative } = numbersOf(evidence)
  return evidence.bracketed * 2 > numbers || (evidence.withPlus > 0 && negative === 0)
}

const isReadable = (decision: NumberDecision, typed: number, isEnough: (readable: number) => boolean): boolean =>
  decision.outcome !== 'none' && isEnough(decision.readable + typed)

/** Returns true if all numbers are written as in JSON, with a decimal point at most. */
const areJsonNumbers = (numbers: NumberEvidence): boolean =>
  numbers.ambiguous[','].count === 0 &&
  [...shapesOf(numbers)].every(({ thousands, decimal }) => thousands === undefined && decimal !== ',')

/** Returns why the numbers of a column are identifiers rather than quantities; undefined if they are not. */
function noteOn(name: string, evidence: ColumnEvidence): ColumnNote | undefined {
  const numbers = numbersOf(evidence)
  const { cells, units, quantities } = evidence
  if (numbers === quantities && units.size > 1 && numbers.numbers >= cells * minShare) return 'mixed_units'
  if (numbers.leadingZeros > 0) return 'leading_zeros'
  if (numbers.inexact > 0) return 'too_many_digits'
  if (numbers.addressLike > 0 && numbers.addressLike >= numbers.numbers * minShare) return 'addresses'
  const { fractionLengths, paddedFractions, notHalves } = numbers
  // 1.9 and 1.10: as numbers, the second would be smaller.
  const hasMixedPadding = fractionLengths.size === 2 && fractionLengths.has(1) && paddedFractions > 0
  const hasFractions = fractionLengths.size > 0 && cells > 0
  // Rooms 1.1 and 1.10 would be one, also where the second is in a later file. Flats have 2.5 rooms.
  const areRooms =
    hasFractions &&
    units.size === 0 &&
    ((isRoomName(name) && notHalves > 0) || (paddedFractions > 0 && isOnlySpaceName(name)))
  return hasMixedPadding || areRooms || (hasFractions && isVersionName(name)) ? 'versions' : undefined
}

function asText(evidence: ColumnEvidence): ColumnDecision & { outcome: 'string' } {
  const { timesOfDay } = evidence
  const [most] = [...timesOfDay].sort(([, a], [, b]) => b - a)
  const isTime = most !== undefined && sumOf(timesOfDay) >= countValues(evidence) * minShare
  return { outcome: 'string', timeOfDay: isTime ? most[0] : undefined }
}
