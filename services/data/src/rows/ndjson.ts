import { problem } from '@wp/contracts'
import { isObject, parseJson } from './parse-json.ts'
import { maxRowBytes, type Row, type RowReader, tooLong } from './row.ts'

/** Reads newline-delimited JSON: one object a line. Blank lines are passed over. */
export function createNdjsonReader(): RowReader {
  let text = ''
  let line = 1
  let hasJson = false
  let firstBad: number | undefined
  /** Whether the rest of an overlong line is being passed over. */
  let skipping = false

  function rowOf(source: string): Row | undefined {
    if (source.trim() === '') return undefined
    if (source.length > maxRowBytes) return { line, reason: tooLong }
    const parsed = parseJson(source)
    if (parsed === undefined) {
      firstBad ??= line
      return { line, reason: 'is not valid JSON' }
    }
    hasJson = true
    return isObject(parsed.value) ? { line, value: parsed.value } : { line, reason: 'is not a JSON object' }
  }

  return {
    read(piece) {
      text += piece
      const rows: Row[] = []
      let at = 0
      for (let stop = text.indexOf('\n'); stop !== -1; stop = text.indexOf('\n', at)) {
        const row = skipping ? undefined : rowOf(text.slice(at, stop))
        if (row !== undefined) rows.push(row)
        skipping = false
        line++
        at = stop + 1
      }
      text = text.slice(at)
      if (text.length > maxRowBytes) {
        if (!skipping) rows.push({ line, reason: tooLong })
        skipping = true
        text = ''
      }
      return rows
    },
    end() {
      const row = skipping ? undefined : rowOf(text)
      if (!hasJson && firstBad !== undefined)
        throw problem('malformed_body', { detail: `The body is not NDJSON: line ${firstBad} is not valid JSON` })
      return row === undefined ? [] : [row]
    },
  }
}
