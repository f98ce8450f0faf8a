import { problem } from '@wp/contracts'
import type { Row, RowParser } from '../row.ts'
import { createArraySplitter } from './array-splitter.ts'
import type { ArrayElement } from './element-scanner.ts'
import { invalidJson, parseElement } from './json-document-parser.ts'

/** Parses a JSON array of objects that arrives in chunks. A malformed element does not affect the others. */
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
