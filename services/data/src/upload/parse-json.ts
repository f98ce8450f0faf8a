/**
 * Parses a JSON text without losing digits: a whole number that a double would change (beyond ±2^53) and one
 * beyond 1.8e308 are kept as their text (see RFC 8259, section 6).
 * @returns nothing when it is not JSON
 */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = mayBeInexact.test(text) ? JSON.parse(text, keepInexact) : JSON.parse(text)
    return { value }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
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
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
