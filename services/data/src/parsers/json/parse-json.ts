/**
 * Parses a JSON text without losing digits: a whole number that a double would change (beyond ±2^53) and one
 * beyond 1.8e308 are kept as their text (see RFC 8259, section 6).
 * @returns nothing when it is not JSON
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
    // Unlike parsing, reviving goes as deep into the stack as the value is nested; nothing so deep is stored anyway.
    if (error instanceof RangeError) return value
    throw error
  }
}

/** Sixteen digits in a row or a three-digit exponent; cheap to look for, so that reviving is the exception. */
const mayBeInexact = /\d{16}|[eE]\+?\d{3}/

function keepInexact(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || Number.isSafeInteger(value)) return value
  const isWhole = /^-?\d+$/.test(context.source)
  return !Number.isFinite(value) || (isWhole && String(value) !== context.source) ? context.source : value
}

/** Whether a parsed value is an object, as a record must be. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
