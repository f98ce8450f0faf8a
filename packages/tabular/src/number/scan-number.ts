import { areGroups, type DecimalMark, familyOf, type MarkFamily } from './marks.ts'

/** The parts of a text that is written like a number. */
export interface ScannedNumber {
  isNegative: boolean
  /** Digits before the decimal mark, without marks. */
  whole: string
  fraction: string
  /** With its sign, such as `e-05`; empty without one. */
  exponent: string
  /** The family of the marks between groups of digits. */
  thousands: MarkFamily | undefined
  /** The mark between groups as it is written. */
  thousandsMark: string
  decimal: DecimalMark | undefined
  /**
   * The only mark, which either groups three digits or is a decimal mark. `whole` and `fraction` are as of the latter.
   */
  ambiguousMark: DecimalMark | undefined
}

/** Numbers are shorter; longer texts are not examined. */
const maxLength = 40
/** An exponent has a sign: `12E10` is rather a part number. */
const exponentPattern = /e[+-]\d{1,3}$/i

/**
 * Returns the parts of a number, whatever its marks are; undefined for any other text. Signs other than a minus before
 * the number, currencies, percent signs and parentheses are not part of a number.
 */
export function scanNumber(text: string): ScannedNumber | undefined {
  if (text.length > maxLength) return undefined
  const isNegative = text.startsWith('-') || text.startsWith('−')
  const unsigned = isNegative ? text.slice(1) : text
  const [exponent = ''] = exponentPattern.exec(unsigned) ?? []
  const parts = splitAtMarks(exponent === '' ? unsigned : unsigned.slice(0, -exponent.length))
  if (parts === undefined) return undefined
  const found = classify(parts)
  if (found === undefined || (exponent !== '' && (found.thousands !== undefined || found.whole.length !== 1)))
    return undefined
  return { isNegative, exponent, ...found }
}

interface MarkedDigits {
  groups: string[]
  marks: string[]
}

function splitAtMarks(text: string): MarkedDigits | undefined {
  const groups: string[] = []
  const marks: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) continue
    const character = text.charAt(at)
    if (familyOf(character) === undefined) return undefined
    groups.push(text.slice(from, at))
    marks.push(character)
    from = at + 1
  }
  groups.push(text.slice(from))
  return groups.at(-1) === '' ? undefined : { groups, marks }
}

function classify({ groups, marks }: MarkedDigits): Omit<ScannedNumber, 'isNegative' | 'exponent'> | undefined {
  const families = marks.map(familyOf)
  const last = families.at(-1)
  const [first = ''] = groups
  const none = { thousands: undefined, thousandsMark: '', decimal: undefined, ambiguousMark: undefined }
  if (last === undefined) return { ...none, whole: first, fraction: '' }
  const decimal = last === '.' || last === ',' ? last : undefined
  const fraction = groups.at(-1) ?? ''
  if (marks.length === 1 && decimal !== undefined) {
    const isAmbiguous = fraction.length === 3 && areGroups([first.length, 3]) && !first.startsWith('0')
    return { ...none, whole: first, fraction, ...(isAmbiguous ? { ambiguousMark: decimal } : { decimal }) }
  }
  const [family] = families
  const isGrouped = (parts: readonly string[]) =>
    !first.startsWith('0') &&
    areGroups(
      parts.map(({ length }) => length),
      family,
    )
  if (families.every((other) => other === family))
    return isGrouped(groups)
      ? { ...none, whole: groups.join(''), fraction: '', thousands: family, thousandsMark: marks[0] ?? '' }
      : undefined
  const wholeParts = groups.slice(0, -1)
  if (decimal === undefined || family === last || !families.slice(0, -1).every((other) => other === family))
    return undefined
  if (!isGrouped(wholeParts)) return undefined
  const whole = wholeParts.join('')
  return { ...none, whole, fraction, thousands: family, thousandsMark: marks[0] ?? '', decimal }
}
