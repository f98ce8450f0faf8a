import { problem } from '@wp/contracts'
import { countNewlines, maxRowBytes, type Row, type RowParser, rowTooLarge } from '../row.ts'
import { type CsvRow, detectDelimiter, parseCsvRow } from './csv-row.ts'

/**
 * Reads CSV as RFC 4180 has it, with a header row, fields separated by comma, semicolon or tab (whichever the header
 * uses most) and lines ended by LF, CRLF or CR. Blank lines are passed over; every value is a string.
 *
 * A row that breaks the rules costs that row alone: reading goes on with the line after the one it began on, also when
 * a quote that is never closed would swallow everything behind it. That is why this is not csv-parse: it drops what
 * follows such a row without a word.
 */
export function createCsvParser(): RowParser {
  let text = ''
  let line = 1
  let header: string[] | undefined
  let delimiter = ','
  let usesCarriageReturns = false
  /** The rest of a line that was given up before its end had come. */
  let isSkippingLine = false

  /** Until the header is there, each piece may say more. */
  function detectFormat(): void {
    usesCarriageReturns ||= /^[^\n]*\r[^\n]/.test(text)
    if (usesCarriageReturns) text = text.replaceAll('\r', '\n')
    delimiter = detectDelimiter(text)
  }

  function parseRows(isEnd: boolean): Row[] {
    const rows: Row[] = []
    let at = 0
    while (at < text.length) {
      const next = parseRowAt(at, isEnd, rows)
      if (next === undefined) break
      at = next
    }
    text = text.slice(at)
    return rows
  }

  /** Takes one row at a place; answers where the next begins, or nothing when the row is not all here yet. */
  function parseRowAt(at: number, isEnd: boolean, rows: Row[]): number | undefined {
    const stop = text.indexOf('\n', at)
    if (isSkippingLine) {
      isSkippingLine = stop === -1
      return skipLine(stop)
    }
    if (stop !== -1 && isBlank(at, stop)) return skipLine(stop)
    const row = parseCsvRow(text, at, delimiter, isEnd)
    if (row === 'incomplete' && text.length - at <= maxRowBytes) return undefined
    if (typeof row === 'object' && 'fields' in row) {
      if (header === undefined) header = parseHeader(row.fields)
      else rows.push(toRow(row, header, line))
      line += countNewlines(text, at, row.nextOffset)
      return row.nextOffset
    }
    if (header === undefined) throw malformedCsv(`its header row cannot be read: it ${reasonOf(row)}`)
    rows.push({ line, reason: reasonOf(row) })
    isSkippingLine = stop === -1
    return skipLine(stop)
  }

  function skipLine(stop: number): number {
    if (stop === -1) return text.length
    line++
    return stop + 1
  }

  const isBlank = (at: number, stop: number) => stop === at || (stop === at + 1 && text[at] === '\r')

  return {
    write(piece) {
      text += usesCarriageReturns ? piece.replaceAll('\r', '\n') : piece
      if (header === undefined) detectFormat()
      return parseRows(false)
    },
    end() {
      const rows = parseRows(true)
      if (header === undefined) throw malformedCsv('it has no header row')
      return rows
    },
  }
}

function toRow({ fields }: CsvRow, header: readonly string[], line: number): Row {
  if (fields.length !== header.length)
    return { line, reason: `has ${fields.length} columns where the header has ${header.length}` }
  const value: Record<string, unknown> = {}
  for (let column = 0; column < header.length; column++) value[header[column] ?? ''] = fields[column]
  return { line, value }
}

function parseHeader(fields: readonly string[]): string[] {
  const names = fields.map((field) => field.trim())
  const known = new Set<string>()
  names.forEach((name, column) => {
    if (name === '') throw malformedCsv(`column ${column + 1} of its header row has no name`)
    if (name === '__proto__' || /[\0\ufffd]/.test(name))
      throw malformedCsv(`the name of column ${column + 1} in its header row cannot be used`)
    if (known.has(name)) throw malformedCsv(`its header row names the column "${name}" twice`)
    known.add(name)
  })
  return names
}

const reasonOf = (row: 'incomplete' | { reason: string }) =>
  row === 'incomplete' ? `${rowTooLarge}, or opens a quote that is not closed` : row.reason

const malformedCsv = (why: string) => problem('malformed_body', { detail: `The CSV cannot be read: ${why}` })
