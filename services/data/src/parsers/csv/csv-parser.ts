import { problem } from '@wp/contracts'
import { countNewlines, maxRowBytes, type Row, type RowParser, rowTooLarge } from '../row.ts'
import { type CsvRow, detectDelimiter, parseCsvRow } from './csv-row.ts'

interface CsvState {
  /** Text that is not parsed yet. */
  text: string
  line: number
  header: readonly string[] | undefined
  delimiter: string
  /** True if lines end with CR alone. */
  usesCarriageReturns: boolean
  /** True while the rest of a line that was rejected before its end arrived is skipped. */
  isSkippingLine: boolean
}

/**
 * Parses CSV (RFC 4180) with a header row, fields separated by comma, semicolon or tab (the one the header uses most)
 * and lines ended by LF, CRLF or CR. Skips blank lines; every value is a string.
 *
 * A malformed row does not affect the others: parsing continues with the line after the one it begins on, even if a
 * quote that is never closed would extend it to the end of the text. This is why csv-parse is not used: it drops the
 * rows after such a quote silently.
 */
export function createCsvParser(): RowParser {
  const state: CsvState = {
    ...{ text: '', line: 1, header: undefined, delimiter: ',', usesCarriageReturns: false, isSkippingLine: false },
  }
  return {
    write(chunk) {
      state.text += state.usesCarriageReturns ? chunk.replaceAll('\r', '\n') : chunk
      if (state.header === undefined) detectFormat(state)
      return parseRows(state, false)
    },
    end() {
      const rows = parseRows(state, true)
      if (state.header === undefined) throw malformedCsv('it has no header row')
      return rows
    },
  }
}

/** Detects line ends and delimiter. Repeated until the header row is complete, as each chunk may change the result. */
function detectFormat(state: CsvState): void {
  state.usesCarriageReturns ||= /^[^\n]*\r[^\n]/.test(state.text)
  if (state.usesCarriageReturns) state.text = state.text.replaceAll('\r', '\n')
  state.delimiter = detectDelimiter(state.text)
}

function parseRows(state: CsvState, isEnd: boolean): Row[] {
  const rows: Row[] = []
  let at = 0
  while (at < state.text.length) {
    const next = parseRowAt(state, at, isEnd, rows)
    if (next === undefined) break
    at = next
  }
  state.text = state.text.slice(at)
  return rows
}

/** Parses the row at an offset. Returns the offset of the next one, undefined if the row is incomplete. */
function parseRowAt(state: CsvState, at: number, isEnd: boolean, rows: Row[]): number | undefined {
  const { text, header, line } = state
  const lineEnd = text.indexOf('\n', at)
  if (state.isSkippingLine) {
    state.isSkippingLine = lineEnd === -1
    return skipLine(state, lineEnd)
  }
  if (lineEnd !== -1 && isBlank(text, at, lineEnd)) return skipLine(state, lineEnd)
  const row = parseCsvRow(text, at, state.delimiter, isEnd)
  if (row === 'incomplete' && text.length - at <= maxRowBytes) return undefined
  if (typeof row === 'object' && 'fields' in row) {
    if (header === undefined) state.header = parseHeader(row.fields)
    else rows.push(toRow(row, header, line))
    state.line += countNewlines(text, at, row.nextOffset)
    return row.nextOffset
  }
  if (header === undefined) throw malformedCsv(`its header row cannot be read: it ${reasonOf(row)}`)
  rows.push({ line, reason: reasonOf(row) })
  state.isSkippingLine = lineEnd === -1
  return skipLine(state, lineEnd)
}

function skipLine(state: CsvState, lineEnd: number): number {
  if (lineEnd === -1) return state.text.length
  state.line++
  return lineEnd + 1
}

const isBlank = (text: string, at: number, lineEnd: number): boolean =>
  lineEnd === at || (lineEnd === at + 1 && text[at] === '\r')

function toRow({ fields }: CsvRow, header: readonly string[], line: number): Row {
  if (fields.length !== header.length)
    return { line, reason: `has ${fields.length} columns where the header has ${header.length}` }
  const value: Record<string, unknown> = {}
  for (let column = 0; column < header.length; column++) value[header[column] ?? ''] = fields[column]
  return { line, value }
}

function parseHeader(fields: readonly string[]): string[] {
  const names = fields.map((field) => field.trim())
  const seen = new Set<string>()
  names.forEach((name, column) => {
    if (name === '') throw malformedCsv(`column ${column + 1} of its header row has no name`)
    if (name === '__proto__' || /[\0\ufffd]/.test(name))
      throw malformedCsv(`the name of column ${column + 1} in its header row cannot be used`)
    if (seen.has(name)) throw malformedCsv(`its header row names the column "${name}" twice`)
    seen.add(name)
  })
  return names
}

const reasonOf = (row: 'incomplete' | { reason: string }) =>
  row === 'incomplete' ? `${rowTooLarge}, or opens a quote that is not closed` : row.reason

const malformedCsv = (reason: string) => problem('malformed_body', { detail: `The CSV cannot be read: ${reason}` })
