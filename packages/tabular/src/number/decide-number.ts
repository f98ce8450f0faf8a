import {
  type DecimalMark,
  decimalMarks,
  fitsMarks,
  isThousandsMark,
  type NumberFormat,
  roleOf,
  toMarkRules,
} from './marks.ts'
import { countShapes, type NumberEvidence, shapesOf } from './number-evidence.ts'

/** A decision about the numbers of a column. */
export type NumberDecision =
  | { outcome: 'decided'; format: NumberFormat; readable: number; confidence: number }
  /** The mark groups digits or is a decimal mark: nothing tells which. */
  | { outcome: 'ambiguous'; mark: DecimalMark; readable: number }
  /** The column contradicts every format. */
  | { outcome: 'none' }

/** Facts from outside of the column. */
export interface NumberHints {
  /** The decimal mark that the other number columns of the file prove. */
  decimal?: DecimalMark | undefined
  /** Marks that are pinned. */
  pinned?: NumberFormat | undefined
}

/** Evidence this much stronger than its opposite wins; what contradicts it is not read. */
const dominance = 10
/** Fewer numbers do not show that fractions were never shortened. */
const minAmbiguous = 8
const minEndingInZero = 2

/** Decides the marks of a column by all of its numbers. */
export function decideNumberFormat(evidence: NumberEvidence, hints: NumberHints = {}): NumberDecision {
  if (evidence.numbers === 0) return { outcome: 'none' }
  const { pinned = {} } = hints
  if (pinned.decimal !== undefined || pinned.thousands) {
    const decimal = toMarkRules(pinned).decimal
    return decided(evidence, { decimal, thousands: pinned.thousands ?? thousandsFor(evidence, decimal) }, 1)
  }
  const strong = proveDecimal(evidence)
  if (strong === 'contradictory') return { outcome: 'none' }
  if (strong !== undefined) return decided(evidence, formatFor(evidence, strong), 1)
  const mark = onlyAmbiguousMark(evidence)
  if (mark === undefined) return decided(evidence, formatFor(evidence, undefined), 1)
  const votes = weakVotes(evidence, mark, hints)
  const [first] = votes
  if (first === undefined || votes.some(({ decimal }) => decimal !== first.decimal))
    return { outcome: 'ambiguous', mark, readable: evidence.numbers - evidence.leadingZeros }
  return decided(evidence, formatFor(evidence, first.decimal), Math.max(...votes.map(({ confidence }) => confidence)))
}

/**
 * Returns how a format reads numbers whose only marks are ambiguous: as decimals or as groups of digits; undefined if
 * other numbers of the column show it.
 */
export function readingOfAmbiguous(
  evidence: NumberEvidence,
  format: NumberFormat,
): 'decimal' | 'thousands' | undefined {
  const mark = onlyAmbiguousMark(evidence)
  const hasOther = [...shapesOf(evidence)].some(({ thousands, decimal }) => thousands ?? decimal)
  return mark === undefined || hasOther ? undefined : roleOf(toMarkRules(format), mark)
}

/** Returns the decimal mark that values with only one reading prove; undefined if there is none. */
export function proveDecimal(evidence: NumberEvidence): DecimalMark | 'contradictory' | undefined {
  const otherGroups = (["'", ' ', '_'] as const).reduce(
    (sum, thousands) => sum + countShapes(evidence, { thousands }),
    0,
  )
  const proof = (decimal: DecimalMark, other: DecimalMark) =>
    countShapes(evidence, { decimal }) +
    countShapes(evidence, { thousands: other }) -
    countShapes(evidence, { thousands: other, decimal }) +
    // With another thousands mark in use, this mark cannot group.
    (otherGroups > 0 ? evidence.ambiguous[decimal].count : 0)
  const [point, comma] = [proof('.', ','), proof(',', '.')]
  if (point === 0 && comma === 0) return undefined
  if (point >= comma * dominance) return '.'
  return comma >= point * dominance ? ',' : 'contradictory'
}

/**
 * Returns the mark that is ambiguous. If both are, one of them groups and the other does not; the comma stands for it.
 */
function onlyAmbiguousMark({ ambiguous }: NumberEvidence): DecimalMark | undefined {
  if (ambiguous[','].count > 0) return ','
  return ambiguous['.'].count > 0 ? '.' : undefined
}

const otherMark = (mark: DecimalMark): DecimalMark => (mark === '.' ? ',' : '.')

function weakVotes(evidence: NumberEvidence, mark: DecimalMark, hints: NumberHints) {
  const votes: { decimal: DecimalMark; confidence: number }[] = []
  if (hints.decimal !== undefined) votes.push({ decimal: hints.decimal, confidence: 0.9 })
  if (evidence.ambiguous['.'].count > 0 && evidence.ambiguous[','].count > 0) return votes
  const { count, endingInZero, quoted } = evidence.ambiguous[mark]
  // A number of four digits or more without a mark: this column does not group.
  if (evidence.plainLong > 0) votes.push({ decimal: mark, confidence: 0.95 })
  // Numbers below 1,000 have no decimals, so those with decimals were shortened, and none would end in 0.
  if (evidence.plain > evidence.plainLong && count >= minAmbiguous && endingInZero >= minEndingInZero)
    votes.push({ decimal: otherMark(mark), confidence: 0.95 })
  // Numbers in quotes, in a file delimited by commas, beside numbers below 1,000 without decimals.
  if (mark === ',' && quoted > 1 && evidence.plain > evidence.plainLong) votes.push({ decimal: '.', confidence: 0.9 })
  return votes
}

function formatFor(evidence: NumberEvidence, proved: DecimalMark | undefined): NumberFormat {
  if (proved !== undefined) return { decimal: proved, thousands: thousandsFor(evidence, proved) }
  return { decimal: undefined, thousands: thousandsFor(evidence, undefined) }
}

/** Returns the most frequent thousands mark beside a decimal mark; undefined if digits are not grouped. */
function thousandsFor(evidence: NumberEvidence, decimal: DecimalMark | undefined): NumberFormat['thousands'] {
  const counts = new Map(evidence.marks)
  for (const mark of decimalMarks) {
    const { count } = evidence.ambiguous[mark]
    if (count > 0) counts.set(mark, (counts.get(mark) ?? 0) + count)
  }
  const usable = [...counts].filter(([mark]) => mark !== decimal).sort(([, a], [, b]) => b - a)
  const mark = usable[0]?.[0]
  return mark !== undefined && isThousandsMark(mark) ? mark : undefined
}

function decided(evidence: NumberEvidence, format: NumberFormat, confidence: number): NumberDecision {
  return { outcome: 'decided', format, readable: countReadable(evidence, format), confidence }
}

/** Returns the number of texts that are numbers of a format. */
function countReadable(evidence: NumberEvidence, format: NumberFormat): number {
  const rules = toMarkRules(format)
  let count = 0
  for (const { thousands, decimal, count: found } of shapesOf(evidence))
    if (fitsMarks(rules, thousands, decimal)) count += found
  for (const mark of decimalMarks) if (roleOf(rules, mark) !== undefined) count += evidence.ambiguous[mark].count
  return Math.max(0, count - evidence.leadingZeros)
}
