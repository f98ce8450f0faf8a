import { type DecimalMark, familyOf, type MarkFamily } from './marks.ts'
import { asGrouped, toNumber } from './number-reader.ts'
import { scanNumber } from './scan-number.ts'

/** Counts of the ways in which the numbers of a column are written. */
export interface NumberEvidence {
  /** Texts that are numbers in some format. */
  numbers: number
  /** Counts by thousands family (or '') and decimal mark (or ''), such as `,.` for `1,386.5`. */
  shapes: Map<string, number>
  /** Numbers whose only mark groups three digits or is a decimal mark, by mark. */
  ambiguous: Record<DecimalMark, AmbiguousNumbers>
  /** Numbers without marks, and those of them with four digits or more, which a column of grouped numbers lacks. */
  plain: number
  plainLong: number
  /** Number of uses of each thousands mark. */
  marks: Map<string, number>
  negative: number
  leadingZeros: number
  /** Integers with more digits than a double holds exactly. */
  inexact: number
  /** Grouped numbers of four groups up to 255, as IP addresses are. */
  addressLike: number
  /** Decimal numbers by length of the fraction, and those that end in 0 after two digits or more. */
  fractionLengths: Set<number>
  paddedFractions: number
  /** Decimal numbers with another fraction than `5`. */
  notHalves: number
}

interface AmbiguousNumbers {
  count: number
  /** Those that end in 0: as decimals without padding they would be shorter. */
  endingInZero: number
  /** Those in quotes, which only the delimiter of the file makes necessary. */
  quoted: number
  /** The first texts. */
  examples: string[]
}

export const createNumberEvidence = (): NumberEvidence => ({
  numbers: 0,
  plain: 0,
  plainLong: 0,
  negative: 0,
  leadingZeros: 0,
  inexact: 0,
  addressLike: 0,
  shapes: new Map(),
  marks: new Map(),
  fractionLengths: new Set(),
  paddedFractions: 0,
  notHalves: 0,
  ambiguous: { '.': emptyAmbiguous(), ',': emptyAmbiguous() },
})

const emptyAmbiguous = (): AmbiguousNumbers => ({ count: 0, endingInZero: 0, quoted: 0, examples: [] })

const maxExamples = 3

/**
 * Adds a text to the evidence. Returns false if it is not a number in any format.
 * @param isQuoted true if the text contains the delimiter of its file
 */
export function addNumber(evidence: NumberEvidence, text: string, isQuoted = false): boolean {
  const scanned = scanNumber(text)
  if (scanned === undefined) return false
  const { whole, fraction, thousands, decimal, ambiguousMark } = scanned
  if (toNumber(scanned, true) === undefined) {
    evidence.inexact++
    return true
  }
  evidence.numbers++
  if (scanned.isNegative) evidence.negative++
  if (whole.length > 1 && whole.startsWith('0')) evidence.leadingZeros++
  if (ambiguousMark !== undefined) {
    const ambiguous = evidence.ambiguous[ambiguousMark]
    ambiguous.count++
    if (fraction.endsWith('0')) ambiguous.endingInZero++
    if (isQuoted) ambiguous.quoted++
    if (ambiguous.examples.length < maxExamples && !ambiguous.examples.includes(text)) ambiguous.examples.push(text)
    return true
  }
  increase(evidence.shapes, `${thousands ?? ''}${decimal ?? ' '}`)
  if (thousands !== undefined) increase(evidence.marks, scanned.thousandsMark)
  if (thousands === '.' && /^(?:\d{1,3}\.){3}\d{3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255))
    evidence.addressLike++
  if (thousands === undefined && decimal === undefined) {
    evidence.plain++
    if (whole.length >= 4) evidence.plainLong++
  }
  if (decimal !== undefined) {
    evidence.fractionLengths.add(fraction.length)
    if (fraction !== '5') evidence.notHalves++
    if (fraction.length === 2 && fraction.endsWith('0')) evidence.paddedFractions++
  }
  return true
}

interface Shape {
  thousands: MarkFamily | undefined
  decimal: DecimalMark | undefined
}

/** Returns the number of texts with this thousands mark, decimal mark, or both. */
export function countShapes(evidence: NumberEvidence, marks: Partial<Shape>): number {
  let count = 0
  for (const { thousands, decimal, count: found } of shapesOf(evidence)) {
    if (marks.thousands !== undefined && marks.thousands !== thousands) continue
    if (marks.decimal !== undefined && marks.decimal !== decimal) continue
    count += found
  }
  return count
}

/** Yields the marks that are used together, with the number of texts. */
export function* shapesOf({ shapes }: NumberEvidence): Generator<Shape & { count: number }> {
  for (const [shape, count] of shapes) {
    const [thousands, decimal] = [shape.slice(0, -1), shape.slice(-1)]
    yield { thousands: familyOf(thousands), decimal: decimal === '.' || decimal === ',' ? decimal : undefined, count }
  }
}

/** Returns both readings of an ambiguous number: that with a decimal mark, and that with grouped digits. */
export function readBothWays(text: string): { decimal: number; grouped: number } | undefined {
  const scanned = scanNumber(text)
  if (scanned === undefined) return undefined
  const [decimal, grouped] = [toNumber(scanned), toNumber(asGrouped(scanned))]
  return decimal === undefined || grouped === undefined ? undefined : { decimal, grouped }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
