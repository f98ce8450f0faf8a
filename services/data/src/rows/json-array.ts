import { problem } from '@wp/contracts'
import { createElementSplitter, type Element } from './json-elements.ts'
import { isObject, parseJson } from './parse-json.ts'
import { type Row, type RowReader, tooLong } from './row.ts'

/**
 * Reads a JSON array of objects while it arrives. Only where elements end is looked for in the text; each is then
 * parsed by itself, so that a bad one costs no other.
 */
export function createJsonArrayReader(): RowReader {
  const splitter = createElementSplitter()
  let hasJson = false
  let firstBad: number | undefined

  function rowOf({ line, place, source }: Element): Row {
    if (source === undefined) return { line, reason: `element ${place}: ${tooLong}` }
    const parsed = parseJson(source)
    if (parsed === undefined) {
      firstBad ??= line
      return { line, reason: `element ${place}: is not valid JSON` }
    }
    hasJson = true
    if (!isObject(parsed.value)) return { line, reason: `element ${place}: is not a JSON object` }
    return { line, element: place, value: parsed.value }
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
