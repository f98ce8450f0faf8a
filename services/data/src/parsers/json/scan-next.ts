import { type Problem, problem } from '@wp/contracts'
import { countNewlines, maxRowBytes } from '../row.ts'
import { closeBracket, isWhitespace, lineFeed, openBrace, openBracket, quote } from './characters.ts'
import {
  applyStructural,
  completeValue,
  depthOf,
  enterContainer,
  nameMember,
  pathOf,
  type Structure,
} from './json-structure.ts'
import {
  emptyCapture,
  emptyLiteral,
  emptyString,
  isLiteral,
  scanCaptured,
  scanLiteral,
  scanString,
  type Token,
} from './json-token.ts'

/** Decides what the scanner does with each value it meets. */
export interface ValueHandler {
  /**
   * Called at the first character of a value. `enter` scans it and its members, `capture` passes its text to
   * `onCaptured`, `handOver` stops `scan` after that character: the caller reads the rest of the value and calls
   * `advance`.
   */
  onValue(character: string): 'enter' | 'capture' | 'handOver'
  /** @param text undefined if the value is larger than a row may be; @param line the line the value begins on */
  onCaptured(path: readonly string[], text: string | undefined, line: number): void
}

export interface ScannerState {
  structure: Structure
  token: Token | undefined
  line: number
  /** Characters scanned so far. */
  offset: number
  /** The first character of the literal or captured value that is scanned; errors about it name this position. */
  valueStart: { line: number; offset: number } | undefined
  isHandedOver: boolean
}

const maxDepth = 1000

/**
 * Scans one character, or the rest of a token as far as it is in `text`. Returns the offset where scanning continues.
 */
export function scanNext(state: ScannerState, handler: ValueHandler, text: string, at: number): number {
  if (state.token !== undefined) return continueToken(state, handler, state.token, text, at)
  const character = text.charCodeAt(at)
  if (isWhitespace(character)) {
    if (character === lineFeed) state.line++
    return at + 1
  }
  const { expected } = state.structure
  if (expected === 'value' || (expected === 'firstValue' && character !== closeBracket))
    return beginValue(state, handler, text, at)
  const next = applyStructural(state.structure, character)
  if (next === undefined) throw malformed(state, unexpected(text[at], expected === 'end'))
  state.structure = next
  if (character === quote) state.token = emptyString(true)
  return at + 1
}

function beginValue(state: ScannerState, handler: ValueHandler, text: string, at: number): number {
  const character = text[at] ?? ''
  if (!/[{["\-\dtfn]/.test(character)) throw malformed(state, `a value is missing before ${JSON.stringify(character)}`)
  const action = handler.onValue(character)
  if (action === 'handOver') {
    state.isHandedOver = true
    endValue(state)
    return at + 1
  }
  if (action === 'capture') return beginToken(state, emptyCapture, at)
  const code = text.charCodeAt(at)
  if (code === quote) {
    state.token = emptyString(false)
    return at + 1
  }
  if (code !== openBracket && code !== openBrace) return beginToken(state, emptyLiteral, at)
  if (depthOf(state.structure.container) === maxDepth)
    throw malformed(state, `it is nested deeper than ${maxDepth} levels`)
  state.structure = enterContainer(state.structure, code === openBracket)
  return at + 1
}

function beginToken(state: ScannerState, token: Token, at: number): number {
  state.token = token
  state.valueStart = { line: state.line, offset: state.offset }
  return at
}

function continueToken(state: ScannerState, handler: ValueHandler, token: Token, text: string, at: number): number {
  if (token.kind === 'string') {
    const scanned = scanString(token, text, at)
    if ('invalid' in scanned) {
      state.offset += scanned.invalid - at
      throw malformed(state, 'a string contains a control character')
    }
    state.token = scanned.token
    if (scanned.isComplete) endString(state, scanned.token)
    return scanned.end
  }
  if (token.kind === 'literal') {
    const scanned = scanLiteral(token, text, at)
    state.token = scanned.token
    if (scanned.isComplete) endLiteral(state, scanned.token.text)
    return scanned.end
  }
  const scanned = scanCaptured(token, text, at, maxRowBytes)
  state.token = scanned.token
  state.line += countNewlines(text, at, scanned.end)
  if (scanned.isComplete) endCaptured(state, handler, scanned.token)
  return scanned.end
}

function endString(state: ScannerState, { isName, text }: { isName: boolean; text: string }): void {
  if (!isName) {
    endValue(state)
    return
  }
  state.token = undefined
  try {
    state.structure = nameMember(state.structure, String(JSON.parse(`"${text}"`)))
  } catch {
    throw malformed(state, 'a member name is not a valid JSON string')
  }
}

export function endLiteral(state: ScannerState, text: string): void {
  if (!isLiteral(text)) throw malformed(state, `"${text.slice(0, 40)}" is not a JSON value`)
  endValue(state)
}

export function endCaptured(
  state: ScannerState,
  handler: ValueHandler,
  { text, isTooLarge }: { text: string; isTooLarge: boolean },
): void {
  handler.onCaptured(pathOf(state.structure), isTooLarge ? undefined : text, state.valueStart?.line ?? state.line)
  endValue(state)
}

function endValue(state: ScannerState): void {
  state.token = undefined
  state.valueStart = undefined
  state.structure = completeValue(state.structure)
}

const unexpected = (character: string | undefined, isAfterEnd: boolean): string =>
  `${JSON.stringify(character)} is not expected ${isAfterEnd ? 'after the end of the document' : 'here'}`

export function malformed({ valueStart, line, offset }: ScannerState, reason: string): Problem {
  const position = valueStart ?? { line, offset }
  const detail = `The JSON cannot be read at line ${position.line}, character ${position.offset + 1}: ${reason}`
  return problem('malformed_body', { detail })
}
