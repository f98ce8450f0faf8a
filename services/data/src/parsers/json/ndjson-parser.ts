import { problem } from '@wp/contracts'
import { maxRowBytes, type Row, type RowParser, rowTooLarge } from '../row.ts'
import { isJsonObject, parseJson } from './parse-json.ts'

/** Reads newline-delimited JSON: one object a line. Blank lines are passed over. */
export function createNdjsonParser(): RowParser {
  let text = ''
  let line = 1
  let hasJson = false
  let firstInvalidLine: number | undefined
  /** Whether the rest of an overlong line is being passed over. */
  let isSkippingLine = false

  function parseLine(source: string): Row | undefined {
    if (source.trim() === '') return undefined
    if (source.length > maxRowBytes) return { line, reason: rowTooLarge }
    const parsed = parseJson(source)
    if (parsed === undefined) {
      firstInvalidLine ??= line
      return { line, reason: 'is not valid JSON' }
    }
    hasJson = true
    return isJsonObject(parsed.value) ? { line, value: parsed.value } : { line, reason: 'is not a JSON object' }
  }

  return {
    write(piece) {
      text += piece
      const rows: Row[] = []
      let at = 0
      for (let stop = text.indexOf('\n'); stop !== -1; stop = text.indexOf('\n', at)) {
        const row = isSkippingLine ? undefined : parseLine(text.slice(at, stop))
        if (row !== undefined) rows.push(row)
        isSkippingLine = false
        line++
        at = stop + 1
      }
      text = text.slice(at)
      if (text.length > maxRowBytes) {
        if (!isSkippingLine) rows.push({ line, reason: rowTooLarge })
        isSkippingLine = true
        text = ''
      }
      return rows
    },
    end() {
      const row = isSkippingLine ? undefined : parseLine(text)
      if (!hasJson && firstInvalidLine !== undefined)
        throw problem('malformed_body', {
          detail: `The body is not NDJSON: line ${firstInvalidLine} is not valid JSON`,
        })
      return row === undefined ? [] : [row]
    },
  }
}
