import type { Problem } from '@wp/contracts'
import { topLevel } from './characters.ts'
import { documentStart, isAtPath } from './json-structure.ts'
import { endCaptured, endLiteral, malformed, type ScannerState, scanNext, type ValueHandler } from './scan-next.ts'

/**
 * Scans a JSON document (RFC 8259) that arrives in chunks and knows the path of every value. Keeps no more text than
 * one name, one literal or one captured value.
 */
export interface JsonScanner {
  /**
   * Scans `text` from `start` on. Returns the offset where it stopped: the end of the text, or after the first
   * character of a value it handed over.
   */
  scan(text: string, start: number): number
  /** Skips characters of a value that was handed over. @param line the line of the last one */
  advance(characters: number, line: number): void
  isAt(path: readonly string[]): boolean
  line(): number
  /** @throws Problem `malformed_body` unless the document is complete */
  end(): void
  /** Creates the error for the value that is scanned, or for the current position. */
  malformed(reason: string): Problem
}

export function createJsonScanner(handler: ValueHandler): JsonScanner {
  const state: ScannerState = {
    structure: documentStart,
    token: undefined,
    line: 1,
    offset: 0,
    valueStart: undefined,
    isHandedOver: false,
  }
  return {
    scan(text, start) {
      let at = start
      state.isHandedOver = false
      while (at < text.length && !state.isHandedOver) {
        const next = scanNext(state, handler, text, at)
        state.offset += next - at
        at = next
      }
      return at
    },
    advance(characters, line) {
      state.offset += characters
      state.line = line
    },
    isAt: (path) => isAtPath(state.structure, path),
    line: () => state.line,
    end() {
      const { token } = state
      if (token?.kind === 'literal') endLiteral(state, token.text)
      if (token?.kind === 'captured' && token.nesting === topLevel) endCaptured(state, handler, token)
      if (state.structure.expected === 'end' && state.token === undefined) return
      state.valueStart = undefined
      throw malformed(state, state.offset === 0 ? 'it is empty' : 'the document ends before it is complete')
    },
    malformed: (reason) => malformed(state, reason),
  }
}
