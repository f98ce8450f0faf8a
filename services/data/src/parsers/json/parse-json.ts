import { repeatedName } from '@wp/service'

/**
 * Parses a JSON text without losing digits: an integer that a double cannot hold exactly (beyond ±2^53) and a number
 * beyond 1.8e308 become their text (RFC 8259, section 6).
 * @returns undefined if the text is not valid JSON
 */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return { value: mayBeInexact.test(text) ? parseExactNumbers(text, value) : value }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function parseExactNumbers(text: string, value: unknown): unknown {
  try {
    return JSON.parse(text, keepInexact)
  } catch (error) {
    // The reviver recurses once per level, unlike the parser. Values nested that deep are rejected later.
    if (error instanceof RangeError) return value
    throw error
  }
}

/** Sixteen digits in a row or a three-digit exponent: a cheap test, so that most texts need no reviver. */
const mayBeInexact = /\d{16}|[eE]\+?\d{3}/

function keepInexact(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || Number.isSafeInteger(value)) return value
  const isWhole = /^-?\d+$/.test(context.source)
  return !Number.isFinite(value) || (isWhole && String(value) !== context.source) ? context.source : value
}

/** Returns true for a JSON object, as every record is one. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the reason why the parsed text is no row: JSON.parse would lose a value of a name that occurs twice. */
export function faultOfRow(text: string, value: Record<string, unknown>): string | undefined {
  const name = repeatedName(text, value)
  return name === undefined ? undefined : `has ${JSON.stringify(name)} more than once in one object`
}
