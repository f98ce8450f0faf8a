import { problem } from '@wp/contracts'
import type { Row, RowParser } from '../row.ts'
import { isAsciiSpace, lineFeed, openBracket } from './characters.ts'
import { type ArrayElement, createElementScanner, type ElementScanner } from './element-scanner.ts'
import { invalidJson, parseElement } from './json-document-parser.ts'

/**
 * Parses a JSON array of objects that arrives in chunks. A malformed element does not affect the others.
 * @throws Problem `malformed_body` if the text is empty, or does not begin with an array
 */
export function createJsonArrayParser(): RowParser {
  const splitter = createArraySplitter()
  let hasJson = false
  let firstInvalidLine: number | undefined

  function toRow(element: ArrayElement): Row {
    const row = parseElement(element)
    if ('reason' in row && row.reason.endsWith(invalidJson)) firstInvalidLine ??= row.line
    else if (element.source !== undefined) hasJson = true
    return row
  }

  return {
    write: (text) => splitter.split(text).map(toRow),
    end() {
      const { openElement, fault } = splitter.end()
      const rows = openElement === undefined ? [] : [toRow(openElement)]
      if (!hasJson && firstInvalidLine !== undefined)
        throw problem('malformed_body', {
          detail: `The body is not a JSON array: line ${firstInvalidLine} is not valid JSON`,
        })
      // A truncated element has its own reason.
      return fault === undefined || rows.some((row) => 'reason' in row) ? rows : [...rows, fault]
    },
  }
}

const notAnArray =
  'The JSON must be an array with an object for each row, such as [{"time": …}, …]. If it is within an object, send the array alone'

/** Creates what splits the text of a JSON array, which arrives in chunks, into the texts of its elements. */
function createArraySplitter() {
  let phase: 'before' | 'inside' | 'after' = 'before'
  let line = 1
  let scanner: ElementScanner | undefined
  let trailingText: { line: number; reason: string } | undefined

  /** Reads a character before or after the array. */
  function readOutside(character: number): void {
    if (character === lineFeed) line++
    if (isAsciiSpace(character)) return
    if (phase === 'after') trailingText ??= { line, reason: 'text after the end of the array' }
    else if (character === openBracket) phase = 'inside'
    else throw problem('malformed_body', { detail: notAnArray })
  }

  return {
    split(text: string) {
      const elements: ArrayElement[] = []
      for (let at = 0; at < text.length; ) {
        if (phase !== 'inside') {
          readOutside(text.charCodeAt(at++))
          continue
        }
        scanner ??= createElementScanner(line)
        const scanned = scanner.scan(text, at)
        for (const element of scanned.elements) elements.push(element)
        line = scanner.line()
        at = scanned.end ?? text.length
        if (scanned.end !== undefined) phase = 'after'
      }
      return elements
    },
    /** Returns the element that the end of the text truncates, and the fault at it. */
    end(): { openElement?: ArrayElement; fault?: { line: number; reason: string } } {
      if (phase === 'before') throw problem('malformed_body', { detail: 'The body is empty; it must be a JSON array' })
      if (phase === 'after') return trailingText === undefined ? {} : { fault: trailingText }
      const fault = { line, reason: 'the array ends before it is closed' }
      const openElement = scanner?.open()
      return openElement === undefined ? { fault } : { openElement, fault }
    },
  }
}
