import { countNewlines, type InvalidRow, maxRowBytes, rowTooLarge } from '../row.ts'
import { parseCsvRow, unclosedQuote } from './csv-row.ts'

/** A record of a delimited text: its fields, or the reason why it is malformed. */
export type DelimitedRecord = { line: number; cells: string[] } | InvalidRow

/** Parses delimited text that arrives in chunks. Keeps no more of it than one record and one chunk. */
export interface DelimitedParser {
  /** Parses the next chunk and returns the records that it completes. */
  write(text: string): DelimitedRecord[]
  /** Ends the text and returns the records that were still open. */
  end(): DelimitedRecord[]
}

interface DelimitedLayout {
  delimiter: string
  /** Number of lines to skip at the beginning. */
  skippedLines: number
  /** True if lines end with CR alone. */
  usesCarriageReturns: boolean
}

interface ParserState extends DelimitedLayout {
  /** Text that is not parsed yet. */
  text: string
  line: number
  /** True while the rest of a line that was rejected before its end arrived is skipped. */
  isSkippingLine: boolean
}

/**
 * Parses delimited text (RFC 4180) with lines ended by LF, CRLF or CR. Skips blank lines.
 *
 * A malformed record does not affect the others: parsing continues with the line after the one it begins on, even if a
 * quote that is never closed would extend it to the end of the text. This is why csv-parse is not used: it drops the
 * records after such a quote silently.
 */
export function createDelimitedParser(layout: DelimitedLayout): DelimitedParser {
  const state: ParserState = { ...layout, text: '', line: 1, isSkippingLine: false }
  return {
    write(chunk) {
      state.text += state.usesCarriageReturns ? chunk.replaceAll('\r', '\n') : chunk
      return parseRecords(state, false)
    },
    end: () => parseRecords(state, true),
  }
}

function parseRecords(state: ParserState, isEnd: boolean): DelimitedRecord[] {
  const records: DelimitedRecord[] = []
  let at = 0
  while (at < state.text.length) {
    const next = parseRecordAt(state, at, isEnd, records)
    if (next === undefined) break
    at = next
  }
  state.text = state.text.slice(at)
  return records
}

/** Parses the record at an offset. Returns the offset of the next one, undefined if the record is incomplete. */
function parseRecordAt(state: ParserState, at: number, isEnd: boolean, records: DelimitedRecord[]): number | undefined {
  const { text, line } = state
  const lineEnd = text.indexOf('\n', at)
  if (state.isSkippingLine) {
    state.isSkippingLine = lineEnd === -1
    return skipLine(state, lineEnd)
  }
  if (line <= state.skippedLines) {
    if (lineEnd === -1 && !isEnd && text.length - at <= maxRowBytes) return undefined
    state.isSkippingLine = lineEnd === -1
    return skipLine(state, lineEnd)
  }
  if (lineEnd !== -1 && isBlank(text, at, lineEnd)) return skipLine(state, lineEnd)
  const record = parseCsvRow(text, at, state.delimiter, isEnd)
  if (record === 'incomplete' && text.length - at <= maxRowBytes) return undefined
  if (typeof record === 'object' && 'fields' in record) {
    records.push({ line, cells: record.fields })
    state.line += countNewlines(text, at, record.nextOffset)
    return record.nextOffset
  }
  records.push({ line, reason: reasonOf(record) })
  state.isSkippingLine = lineEnd === -1
  return skipLine(state, lineEnd)
}

function skipLine(state: ParserState, lineEnd: number): number {
  if (lineEnd === -1) return state.text.length
  state.line++
  return lineEnd + 1
}

const isBlank = (text: string, at: number, lineEnd: number): boolean =>
  lineEnd === at || (lineEnd === at + 1 && text[at] === '\r')

export const reasonOf = (record: 'incomplete' | { reason: string }): string =>
  record === 'incomplete' ? `${rowTooLarge}, or ${unclosedQuote}` : record.reason
