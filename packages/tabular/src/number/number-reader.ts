import { fitsMarks, type NumberFormat, roleOf, toMarkRules } from './marks.ts'
import { type ScannedNumber, scanNumber } from './scan-number.ts'

/** Returns the number a text stands for, or undefined if it is not a number of the format. */
export type NumberReader = (text: string) => number | undefined

interface NumberReaderOptions {
  /** Reads `007` as 7. By default leading zeros mean that the text is an identifier. */
  allowsLeadingZeros?: boolean | undefined
}

/** A double holds every number of so many digits exactly. */
const exactDigits = 15

/**
 * Compiles the reader of a column. It reads only what a double holds exactly; grouped digits must be grouped correctly.
 * If the format lacks a mark, it reads the numbers that have one reading only: `12.5`, but not `1.386`.
 */
export function compileNumberReader(
  format: NumberFormat,
  { allowsLeadingZeros = false }: NumberReaderOptions = {},
): NumberReader {
  const rules = toMarkRules(format)
  return (text) => {
    const plain = readPlainInteger(text)
    if (plain !== undefined) return plain
    const scanned = scanNumber(text)
    if (scanned === undefined) return undefined
    const { ambiguousMark } = scanned
    if (ambiguousMark === undefined)
      return fitsMarks(rules, scanned.thousands, scanned.decimal) ? toNumber(scanned, allowsLeadingZeros) : undefined
    const role = roleOf(rules, ambiguousMark)
    return role && toNumber(role === 'decimal' ? scanned : asGrouped(scanned), allowsLeadingZeros)
  }
}

/** Reads the most frequent kind of number without the cost of a scan. */
function readPlainInteger(text: string): number | undefined {
  const { length } = text
  if (length === 0 || length > exactDigits) return undefined
  let value = text.charCodeAt(0) - 48
  if (value < 0 || value > 9 || (value === 0 && length > 1)) return undefined
  for (let at = 1; at < length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/** Returns the reading of an ambiguous number whose mark groups digits. */
export const asGrouped = (scanned: ScannedNumber): ScannedNumber => ({
  ...scanned,
  whole: scanned.whole + scanned.fraction,
  fraction: '',
})

/** Returns the value of a scanned number, undefined if it has leading zeros or a double cannot hold it exactly. */
export function toNumber(
  { isNegative, whole, fraction, exponent }: ScannedNumber,
  allowsLeadingZeros = false,
): number | undefined {
  if (!allowsLeadingZeros && whole.length > 1 && whole.startsWith('0')) return undefined
  const text = `${isNegative ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}${exponent}`
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  if (countSignificantDigits(whole, fraction) <= exactDigits) return value
  if (fraction === '' && exponent === '') return undefined
  // Programs write doubles with up to 17 digits. These are exact if they are the shortest text of a double.
  return exponent !== '' || String(value) === text ? value : undefined
}

function countSignificantDigits(whole: string, fraction: string): number {
  const digits = `${whole}${fraction}`
  let zeros = 0
  while (digits.charCodeAt(zeros) === 48) zeros++
  return digits.length - zeros
}
