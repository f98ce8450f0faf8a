import { problem, type SourceFormat } from '@wp/contracts'
import { reportTruncation } from '../parsers/encoding/decode-text.ts'
import { gunzipIfCompressed } from '../parsers/encoding/gunzip.ts'
import { peek } from '../parsers/encoding/peek.ts'
import { createJsonArrayParser } from '../parsers/json/json-array-parser.ts'
import { createNdjsonParser } from '../parsers/json/ndjson-parser.ts'
import type { Row, RowParser } from '../parsers/row.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'
import { typeTable } from './columns/type-table.ts'
import { htmlExcerpt } from './container/html-excerpt.ts'
import { sniffKind, sniffText, type TextKind } from './container/sniff.ts'
import { openDelimited } from './delimited/open-delimited.ts'
import { openJson } from './open-json.ts'
import { malformed, unexpectedFormat } from './problems.ts'
import type { IntakeWarning, JsonTable, RawTable } from './raw-table.ts'
import { openText, type TextSource } from './text/open-text.ts'

/** A file, or the answer of a feed, that rows are read from. */
export interface TableInput {
  chunks: AsyncIterable<Uint8Array>
  /** Media type without parameters, in lower case; empty if unknown. The bytes win over it. */
  contentType: string
  /** Charset of the content type. */
  charset?: string | undefined
  /** Name or path; its extension decides between formats whose bytes are alike. */
  fileName?: string | undefined
  /** The known part of the format; what it does not pin is detected. */
  format: SourceFormat
  /** Declared types of fields: a column declared `string` is not converted. */
  declarations: FieldDeclarations
  /** The field with the key of a row, which a refused row keeps. */
  keyField?: string | undefined
  /** Limit of the unfolded size, in bytes. */
  maxBytes?: number | undefined
  /** The parser for a JSON document, in place of that for an array of objects. */
  createJsonParser?: (() => RowParser) | undefined
  /** Aborts the reading. */
  signal?: AbortSignal | undefined
}

/** A table whose format is decided. */
export interface OpenedTable {
  /** The whole format, to be pinned. */
  format: SourceFormat
  warnings: IntakeWarning[]
  /** Yields the rows with typed values, in batches. Call it once. */
  rows(): AsyncGenerator<Row[]>
}

/** Bytes by which encoding and layout are detected. */
const headBytes = 4_194_304
/** Limit of the unfolded size of a file. */
const maxUnfoldedBytes = 5 * 1024 ** 3

/**
 * Detects the format of a file from its bytes and columns, as far as it is not pinned, and reads its rows.
 * @throws Problem `ambiguous_format`, `unexpected_format`, `malformed_body`, `payload_too_large`
 */
export async function openTable(input: TableInput): Promise<OpenedTable> {
  const chunks = gunzipIfCompressed(reportTruncation(input.chunks), input.maxBytes ?? maxUnfoldedBytes)
  const { head, isWhole, chunks: whole } = await peek(chunks, headBytes)
  const kind = sniffKind(head)
  if (typeof kind === 'object') throw malformed(`The file is ${kind.unsupported}`)
  if (kind !== 'text') throw problem('unsupported_media_type')
  const text = openText({ head, isWhole, chunks: whole }, { pinned: input.format.encoding, declared: input.charset })
  const { format, warnings, rows } = await typeTable(openTextTable(text, input), input)
  return { format, warnings, rows }
}

function openTextTable(text: TextSource, input: TableInput): RawTable | JsonTable {
  const kind = textKind(text, input)
  const { format } = input
  if (kind === 'html' || kind === 'xml') throw pageInsteadOfData(text.sample, kind, format)
  if (format.type !== undefined && format.type !== (kind === 'delimited' ? 'csv' : kind))
    throw unexpectedFormat(`It is ${names[kind]}, not ${format.type}`)
  if (kind === 'delimited') return openDelimited(text, format)
  const createJson = kind === 'json' ? (input.createJsonParser ?? createJsonArrayParser) : createNdjsonParser
  return openJson(text, kind, createJson)
}

const names: Readonly<Record<TextKind, string>> = {
  json: 'JSON',
  ndjson: 'NDJSON',
  html: 'an HTML page',
  xml: 'XML',
  delimited: 'delimited text',
}

const ndjsonTypes = /ndjson|jsonl/

/** The text of a JSON type is read as JSON, whatever it is, so that its parser names the fault. */
function textKind({ sample }: TextSource, { contentType, fileName = '', format }: TableInput): TextKind {
  const shown = sniffText(sample)
  if (shown === 'html' || shown === 'xml') return shown
  const isJson = shown === 'json' || shown === 'ndjson'
  if (isJson && (format.type === 'json' || format.type === 'ndjson')) return format.type
  if (ndjsonTypes.test(contentType)) return 'ndjson'
  if (/json/.test(contentType)) return 'json'
  return isJson && /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(fileName) ? 'ndjson' : shown
}

function pageInsteadOfData(sample: string, kind: 'html' | 'xml', { type }: SourceFormat) {
  const found =
    kind === 'html' ? `It is an HTML page, not a table: "${htmlExcerpt(sample)}"` : 'It is XML, which is not read'
  return type === undefined ? malformed(found) : unexpectedFormat(found)
}
