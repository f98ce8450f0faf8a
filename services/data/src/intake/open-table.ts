import { problem, type SourceFormat } from '@wp/contracts'
import { createCsvParser } from '../parsers/csv/csv-parser.ts'
import { decodeText } from '../parsers/encoding/decode-text.ts'
import { createJsonArrayParser } from '../parsers/json/json-array-parser.ts'
import { createNdjsonParser } from '../parsers/json/ndjson-parser.ts'
import type { Row, RowParser } from '../parsers/row.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'

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
  /** The parser for a JSON document, in place of that for an array of objects. */
  createJsonParser?: (() => RowParser) | undefined
  /** Aborts the reading. */
  signal?: AbortSignal | undefined
}

/** A table whose format is decided. */
export interface OpenedTable {
  /** The whole format, to be pinned. */
  format: SourceFormat
  warnings: { code: string; message: string; column?: string }[]
  /** Yields the rows with typed values, in batches. Call it once. */
  rows(): AsyncGenerator<Row[]>
}

/**
 * Detects the format of a file from its bytes and columns, as far as it is not pinned, and reads its rows.
 * @throws Problem `ambiguous_format`, `unexpected_format`, `malformed_body`, `payload_too_large`
 */
export async function openTable(input: TableInput): Promise<OpenedTable> {
  const parsers: Readonly<Record<string, () => RowParser>> = {
    'text/csv': createCsvParser,
    'application/x-ndjson': createNdjsonParser,
    'application/json': input.createJsonParser ?? createJsonArrayParser,
  }
  const parser = parsers[input.contentType]?.()
  if (parser === undefined) throw problem('unsupported_media_type')
  return {
    format: input.format,
    warnings: [],
    async *rows() {
      for await (const text of decodeText(input.chunks, input.charset)) yield parser.write(text)
      yield parser.end()
    },
  }
}
