import type { SourceFormat } from '@wp/contracts'
import { scanNumber, scanTimestamp } from '@wp/tabular'
import { createJsonArrayParser } from '../parsers/json/json-array-parser.ts'
import { createNdjsonParser } from '../parsers/json/ndjson-parser.ts'
import type { Row, RowParser } from '../parsers/row.ts'
import { sniffText, type TextKind } from './container/sniff-text.ts'
import { openDelimited } from './delimited/open-delimited.ts'
import { malformed, unexpectedFormat } from './problems.ts'
import type { IntakeWarning, JsonTable, RawTable } from './raw-table.ts'
import type { TableInput } from './table-input.ts'
import type { TextSource } from './text/open-text.ts'

/** Opens a text in the format that its first characters show. @throws Problem */
export async function openTextTable(
  text: TextSource,
  input: TableInput,
): Promise<{ table: RawTable | JsonTable; known: SourceFormat }> {
  const { format } = input
  const kind = textKind(text.sample, input)
  if (kind === 'html' || kind === 'xml') throw pageInsteadOfData(text.sample, kind, format)
  if (format.type !== undefined && format.type !== (kind === 'delimited' ? 'csv' : kind))
    throw unexpectedFormat(`It is ${names[kind]}, not ${format.type}`)
  // Loaded at its first use: calendars are rare, and what reads them is large.
  if (kind === 'icalendar') return (await import('./calendar/open-calendar.ts')).openCalendar(text, input)
  if (kind === 'delimited' && (input.contentType === 'text/calendar' || /^\s*BEGIN:VEVENT/.test(text.sample)))
    throw malformed('The calendar cannot be read: it does not begin with BEGIN:VCALENDAR')
  if (kind === 'delimited') {
    const { sheet: _sheet, ...known } = format
    const table = openDelimited(text, known, input.isTruncated)
    if (table.columns.filter(({ isDropped }) => !isDropped).length < 2) checkOneColumn(text.sample, input)
    return { table, known }
  }
  const createParser = kind === 'json' ? (input.createJsonParser ?? createJsonArrayParser) : createNdjsonParser
  const { encoding: _encoding, delimiter: _delimiter, header_row: _row, sheet: _sheet, ...known } = format
  return { table: openJson(text, kind, createParser), known }
}

/** @throws Problem if a text with one column is no table, or has columns that spaces align */
function checkOneColumn(sample: string, input: TableInput): void {
  const { format } = input
  const example = format.delimiter === undefined ? findAlignedLine(sample) : undefined
  if (example !== undefined)
    throw malformed(
      `It has columns that are separated by spaces, as in "${example}", which is not read. Separate them by commas or tabs`,
    )
  if (isTextDocument(input) && format.type === undefined) throw unexpectedFormat('It is a text, not a table')
}

const alignedLines = 50
const minAlignedLines = 3

/**
 * Returns a line if all lines have the same number of parts between spaces, of which two or more are numbers or times.
 */
function findAlignedLine(sample: string): string | undefined {
  const lines = sample.split(/\r?\n|\r/, alignedLines).filter((line) => line.trim() !== '')
  // `2026-01-05 08:00` and `1 386` are one value.
  if (lines.slice(1, -1).every((line) => isOneValue(line.trim()))) return undefined
  const [header = [], ...rows] = lines.slice(0, -1).map((line) => line.trim().split(/\s+/))
  const isAligned =
    header.length > 1 && rows.length >= minAlignedLines && rows.every((row) => row.length === header.length)
  if (!isAligned) return undefined
  const typed = header.filter((_, at) => rows.every((row) => /^[+-]?\d[\d.,:/T-]*$/.test(row[at] ?? '')))
  return typed.length < 2 ? undefined : lines[1]?.trim().slice(0, 60)
}

/** Returns the charsets that are known of a text. A pinned encoding is that of files of the pinned type. */
export function textMembers(
  head: Uint8Array,
  { format, charset }: TableInput,
): { pinned: string | undefined; declared: string | undefined } {
  const shown = sniffText(Buffer.from(head.subarray(0, 4_096)).toString('latin1'))
  const isOtherType = format.type === undefined && shown !== 'delimited'
  return { pinned: isOtherType ? undefined : format.encoding, declared: charset }
}

const names: Readonly<Record<TextKind, string>> = {
  json: 'JSON',
  ndjson: 'NDJSON',
  html: 'an HTML page',
  xml: 'XML',
  icalendar: 'a calendar',
  delimited: 'delimited text',
}

const isTextDocument = ({ contentType, fileName = '' }: TableInput): boolean =>
  /^text\/(?:plain|markdown)$/.test(contentType) || /\.(?:txt|text|md|markdown)$/i.test(fileName)

/** The text of a JSON type is read as JSON, whatever it is, so that its parser names the fault. */
function textKind(sample: string, { contentType, fileName = '', format }: TableInput): TextKind {
  const shown = sniffText(sample)
  if (shown === 'html' || shown === 'xml' || shown === 'icalendar') return shown
  const isJson = shown === 'json' || shown === 'ndjson'
  if (isJson && (format.type === 'json' || format.type === 'ndjson')) return format.type
  if (/ndjson|jsonl/.test(contentType)) return 'ndjson'
  if (/json/.test(contentType)) return 'json'
  return isJson && /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(fileName) ? 'ndjson' : shown
}

function pageInsteadOfData(sample: string, kind: 'html' | 'xml', { type }: SourceFormat) {
  // Programs also write a page with a table and name it .xls.
  const isSpreadsheet = /<table\b|urn:schemas-microsoft-com:office:spreadsheet/i.test(sample)
  const advice = isSpreadsheet ? '. If it opens as a spreadsheet, save it as .xlsx' : ''
  const found =
    kind === 'html'
      ? `It is an HTML page, not a table: "${htmlExcerpt(sample)}"${advice}`
      : `It is XML, which is not read${advice}`
  return type === undefined ? malformed(found) : unexpectedFormat(found)
}

const excerptLength = 80

/** Returns the first words of an HTML page, without its markup. */
function htmlExcerpt(sample: string): string {
  const text = sample
    .slice(0, 20_000)
    .replaceAll(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ')
    .replaceAll(/<[^>]*>?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > excerptLength ? `${text.slice(0, excerptLength).trimEnd()}…` : text
}

const isOneValue = (text: string): boolean => scanTimestamp(text) !== undefined || scanNumber(text) !== undefined

/** Opens JSON or NDJSON, whose rows name their own columns. */
function openJson(text: TextSource, type: 'json' | 'ndjson', createParser: () => RowParser): JsonTable {
  const warnings: IntakeWarning[] = []
  return {
    format: { type, encoding: text.encoding.name },
    warnings,
    async *rows() {
      const parser = createParser()
      for await (const chunk of text.chunks) yield* nonEmpty(parser.write(chunk))
      yield* nonEmpty(parser.end())
      const errors = parser.errors?.()
      if (errors === undefined) return
      const message = `The document lists errors beside its rows, some of which may be missing: ${errors}`
      warnings.push({ code: 'errors_beside_rows', message })
    },
  }
}

function* nonEmpty(rows: Row[]): Generator<Row[]> {
  if (rows.length > 0) yield rows
}
