const code = (character: string): number => character.charCodeAt(0)

export const quote = code('"')
export const comma = code(',')
export const colon = code(':')
export const lineFeed = code('\n')
export const openBracket = code('[')
export const closeBracket = code(']')
export const openBrace = code('{')
export const closeBrace = code('}')
const backslash = code('\\')

/** Returns true for the four white space characters of JSON (RFC 8259, section 2). */
export const isWhitespace = (character: number): boolean =>
  character === 32 || character === 9 || character === 10 || character === 13

/** Returns true for the ASCII white space characters, more than JSON allows. */
export const isAsciiSpace = (character: number): boolean => character === 32 || (character >= 9 && character <= 13)

/**
 * Nesting depth and string state while the text of a JSON value is skipped, packed into one number so that a step
 * allocates nothing: bit 0 is "inside a string", bit 1 "after a backslash", the other bits are the depth of brackets
 * and braces.
 */
export type Nesting = number

/** Outside of every string, bracket and brace. */
export const topLevel: Nesting = 0
const inString = 1
const escaped = 2
const oneLevel = 4

/** Returns the nesting after one more character. A closing bracket at depth 0 changes nothing. */
export function nextNesting(nesting: Nesting, character: number): Nesting {
  if ((nesting & escaped) !== 0) return nesting - escaped
  if ((nesting & inString) !== 0) {
    if (character === backslash) return nesting + escaped
    return character === quote ? nesting - inString : nesting
  }
  if (character === quote) return nesting + inString
  if (character === openBrace || character === openBracket) return nesting + oneLevel
  if ((character === closeBrace || character === closeBracket) && nesting >= oneLevel) return nesting - oneLevel
  return nesting
}
