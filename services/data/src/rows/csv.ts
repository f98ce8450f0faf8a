import { problem } from '@wp/contracts'
import { type CsvRow, delimiterOf, readCsvRow } from './csv-row.ts'
import { countLines, maxRowBytes, type Row, type RowReader, tooLong } from './row.ts'

/**
 * Reads CSV as RFC 4180 has it, with a header row, fields separated by comma, semicolon or tab (whichever the header
 * uses most) and lines ended by LF, CRLF or CR. Blank lines are passed over; every value is a string.
 *
 * A row that breaks the rules costs that row alone: reading goes on with the line after the one it began on, also when
 * a quote that is never closed would swallow everything behind it. That is why this is not csv-parse: it drops what
 * follows such a row without a word.
 */
export function createCsvReader(): RowReader {
  let text = ''
  let line = 1
  let header: string[] | undefined
  let delimiter = ','
  let onlyReturns = false
  /** The rest of a line that was given up before its end had come. */
  let skipping = false

  /** Until the header is there, each piece may say more. */
  function learnFormat(): void {
    onlyReturns ||= /^[^\n]*\r[^\n]/.test(text)
    if (onlyReturns) text = text.replaceAll('\r', '\n')
    delimiter = delimiterOf(text)
  }

  function rowsOf(isEnd: boolean): Row[] {
    const rows: Row[] = []
    let at = 0
    while (at < text.length) {
      const next = take(at, isEnd, rows)
      if (next === undefined) break
      at = next
    }
    text = text.slice(at)
    return rows
  }

  /** Takes one row at a place; answers where the next begins, or nothing when the row is not all here yet. */
  function take(at: number, isEnd: boolean, rows: Row[]): number | undefined {
    const stop = text.indexOf('\n', at)
    if (skipping) {
      skipping = stop === -1
      return passLine(stop)
    }
    if (stop !== -1 && isBlank(at, stop)) return passLine(stop)
    const row = readCsvRow(text, at, delimiter, isEnd)
    if (row === 'incomplete' && text.length - at <= maxRowBytes) return undefined
    if (typeof row === 'object' && 'fields' in row) {
      if (header === undefined) header = headerOf(row.fields)
      else rows.push(rowOf(row, header, line))
      line += countLines(text, at, row.next)
      return row.next
    }
    if (header === undefined) throw unreadable(`its header row cannot be read: it ${reasonOf(row)}`)
    rows.push({ line, reason: reasonOf(row) })
    skipping = stop === -1
    return passLine(stop)
  }

  function passLine(stop: number): number {
    if (stop === -1) return text.length
    line++
    return stop + 1
  }

  const isBlank = (at: number, stop: number) => stop === at || (stop === at + 1 && text[at] === '\r')

  return {
    read(piece) {
      text += onlyReturns ? piece.replaceAll('\r', '\n') : piece
      if (header === undefined) learnFormat()
      return rowsOf(false)
    },
    end() {
      const rows = rowsOf(true)
      if (header === undefined) throw unreadable('it has no header row')
      return rows
    },
  }
}

function rowOf({ fields }: CsvRow, header: readonly string[], line: number): Row {
  if (fields.length !== header.length)
    return { line, reason: `has ${fields.length} columns where the header has ${header.length}` }
  const value: Record<string, unknown> = {}
  for (let column = 0; column < header.length; column++) value[header[column] ?? ''] = fields[column]
  return { line, value }
}

function headerOf(fields: readonly string[]): string[] {
  const names = fields.map((field) => field.trim())
  const known = new Set<string>()
  names.forEach((name, column) => {
    if (name === '') throw unreadable(`column ${column + 1} of its header row has no name`)
    if (name === '__proto__' || /[\0\ufffd]/.test(name))
      throw unreadable(`the name of column ${column + 1} in its header row cannot be used`)
    if (known.has(name)) throw unreadable(`its header row names the column "${name}" twice`)
    known.add(name)
  })
  return names
}

const reasonOf = (row: 'incomplete' | { reason: string }) =>
  row === 'incomplete' ? `${tooLong}, or opens a quote that is not closed` : row.reason

const unreadable = (why: string) => problem('malformed_body', { detail: `The CSV cannot be read: ${why}` })
