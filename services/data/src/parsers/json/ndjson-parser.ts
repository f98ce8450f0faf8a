import { problem } from '@wp/contracts'
import { maxRowBytes, type Row, type RowParser, rowTooLarge } from '../row.ts'
import { invalidJson } from './json-document-parser.ts'
import { faultOfRow, isJsonObject, parseJson } from './parse-json.ts'

/** Parses newline-delimited JSON: one object per line. Skips blank lines. */
export function createNdjsonParser(): RowParser {
  let text = ''
  let line = 1
  let hasJson = false
  let firstInvalidLine: number | undefined
  /** True while the rest of a line beyond the limit is skipped. */
  let isSkippingLine = false

  function parseLine(source: string): Row | undefined {
    if (source.trim() === '') return undefined
    if (source.length > maxRowBytes) return { line, reason: rowTooLarge }
    const parsed = parseJson(source)
    if (parsed === undefined) {
      firstInvalidLine ??= line
      return { line, reason: invalidJson }
    }
    hasJson = true
    if (!isJsonObject(parsed.value)) return { line, reason: 'is not a JSON object' }
    const reason = faultOfRow(source, parsed.value)
    return reason === undefined ? { line, value: parsed.value } : { line, reason }
  }

  return {
    write(chunk) {
      text += chunk
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
