import { problem } from '@wp/contracts'
import type { Row, RowParser } from '../row.ts'
import { type ArrayElement, createArraySplitter } from './element-scanner.ts'
import { invalidJson, parseElement } from './parse-element.ts'

/**
 * Reads a JSON array of objects while it arrives. Only where elements end is looked for in the text; each is then
 * parsed by itself, so that a bad one costs no other.
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
    write: (text) => splitter.read(text).map(toRow),
    end() {
      const { openElement, fault } = splitter.end()
      const rows = openElement === undefined ? [] : [toRow(openElement)]
      if (!hasJson && firstInvalidLine !== undefined)
        throw problem('malformed_body', {
          detail: `The body is not a JSON array: line ${firstInvalidLine} is not valid JSON`,
        })
      // An element that the end cut off says so itself.
      return fault === undefined || rows.some((row) => 'reason' in row) ? rows : [...rows, fault]
    },
  }
}
