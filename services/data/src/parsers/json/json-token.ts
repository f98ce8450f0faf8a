import {
  closeBrace,
  closeBracket,
  comma,
  isWhitespace,
  type Nesting,
  nextNesting,
  quote,
  topLevel,
} from './characters.ts'

/** A token that has begun and may continue in the next chunk. `text` is what earlier chunks held of it. */
export type Token = StringToken | LiteralToken | CapturedToken

interface StringToken {
  readonly kind: 'string'
  /** True for the name of a member, whose text is kept; other strings are skipped. */
  readonly isName: boolean
  readonly isEscaped: boolean
  readonly text: string
}

/** A number, `true`, `false` or `null`. */
interface LiteralToken {
  readonly kind: 'literal'
  readonly text: string
}

/** A value of any type whose text is kept for the caller. */
interface CapturedToken {
  readonly kind: 'captured'
  readonly nesting: Nesting
  readonly text: string
  readonly isTooLarge: boolean
}

interface Scanned<T extends Token> {
  token: T
  /** The offset after the last character of the token. */
  end: number
  isComplete: boolean
}

/** Longest text of a name or literal that is kept; no name that is looked up and no number is longer. */
const maxScalarLength = 4096

export const emptyString = (isName: boolean): StringToken => ({ kind: 'string', isName, isEscaped: false, text: '' })
export const emptyLiteral: LiteralToken = { kind: 'literal', text: '' }
export const emptyCapture: CapturedToken = { kind: 'captured', nesting: topLevel, text: '', isTooLarge: false }

/**
 * Scans a string, from the character after its opening quote.
 * @returns `invalid` with the offset of a control character, which JSON does not allow in a string
 */
export function scanString(
  token: StringToken,
  text: string,
  start: number,
): Scanned<StringToken> | { invalid: number } {
  let { isEscaped } = token
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (isEscaped) isEscaped = false
    else if (character === backslash) isEscaped = true
    else if (character === quote) {
      const complete = token.isName ? { ...token, text: token.text + text.slice(start, at) } : token
      return { token: complete, end: at + 1, isComplete: true }
    } else if (character < 32) return { invalid: at }
  }
  const isKept = token.isName && token.text.length < maxScalarLength
  const kept = isKept ? token.text + text.slice(start) : token.text
  return { token: { ...token, isEscaped, text: kept }, end: text.length, isComplete: false }
}

const backslash = 92

/** Scans a literal. It is complete once a character follows that cannot belong to it. */
export function scanLiteral(token: LiteralToken, text: string, start: number): Scanned<LiteralToken> {
  let end = start
  while (end < text.length && /[\w+.-]/.test(text[end] ?? '')) end++
  const kept = token.text.length < maxScalarLength ? token.text + text.slice(start, end) : token.text
  return { token: { kind: 'literal', text: kept }, end, isComplete: end < text.length }
}

/** Returns true if a complete literal is valid JSON. */
export const isLiteral = (text: string): boolean =>
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text)

/**
 * Scans a captured value by its brackets and quotes alone: the caller parses its text.
 * @param maxLength in UTF-16 code units; of a longer value no text is kept
 */
export function scanCaptured(
  token: CapturedToken,
  text: string,
  start: number,
  maxLength: number,
): Scanned<CapturedToken> {
  let { nesting } = token
  let at = start
  let isComplete = false
  for (; at < text.length && !isComplete; at++) {
    const character = text.charCodeAt(at)
    // A number or a word has no end of its own: what follows it ends it.
    if (nesting === topLevel && isDelimiter(character)) break
    const next = nextNesting(nesting, character)
    isComplete = next === topLevel && nesting !== topLevel
    nesting = next
  }
  const kept = token.isTooLarge ? '' : token.text + text.slice(start, at)
  const isTooLarge = token.isTooLarge || kept.length > maxLength
  return {
    token: { kind: 'captured', nesting, text: isTooLarge ? '' : kept, isTooLarge },
    end: at,
    isComplete: isComplete || at < text.length,
  }
}

const isDelimiter = (character: number): boolean =>
  character === comma || character === closeBracket || character === closeBrace || isWhitespace(character)
