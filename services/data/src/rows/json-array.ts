import { problem } from '@wp/contracts'
import { createElementSplitter, type Element } from './json-elements.ts'
import { notJson, rowOfElement } from './json-row.ts'
import type { Row, RowReader } from './row.ts'

/**
 * Reads a JSON array of objects while it arrives. Only where elements end is looked for in the text; each is then
 * parsed by itself, so that a bad one costs no other.
 */
export function createJsonArrayReader(): RowReader {
  const splitter = createElementSplitter()
  let hasJson = false
  let firstBad: number | undefined

  function rowOf(element: Element): Row {
    const row = rowOfElement(element)
    if ('reason' in row && row.reason.endsWith(notJson)) firstBad ??= row.line
    else if (element.source !== undefined) hasJson = true
    return row
  }

  return {
    read: (text) => splitter.read(text).map(rowOf),
    end() {
      const { open, fault } = splitter.end()
      const rows = open === undefined ? [] : [rowOf(open)]
      if (!hasJson && firstBad !== undefined)
        throw problem('malformed_body', { detail: `The body is not a JSON array: line ${firstBad} is not valid JSON` })
      // An element that the end cut off says so itself.
      return fault === undefined || rows.some((row) => 'reason' in row) ? rows : [...rows, fault]
    },
  }
}
