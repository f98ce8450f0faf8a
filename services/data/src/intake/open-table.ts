import { problem, type SourceFormat } from '@wp/contracts'
import { createCsvParser } from '../parsers/csv/csv-parser.ts'
import { decodeText } from '../parsers/encoding/decode-text.ts'
import { gunzipIfCompressed } from '../parsers/encoding/gunzip.ts'
import { formatForMediaType, formatForPath } from '../parsers/format.ts'
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
  /** The field with the keys of the records: one value in it that is no number makes its column text. */
  keyField?: string | undefined
  /** Limit of the uncompressed size, in bytes. */
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
    csv: createCsvParser,
    ndjson: createNdjsonParser,
    json: input.createJsonParser ?? createJsonArrayParser,
  }
  const type = input.format.type ?? formatForMediaType(input.contentType) ?? formatForPath(input.fileName ?? '')
  const parser = parsers[type ?? '']?.()
  if (parser === undefined) throw problem('unsupported_media_type')
  return {
    format: { ...input.format, ...(type === undefined ? {} : { type }) },
    warnings: [],
    async *rows() {
      const chunks = gunzipIfCompressed(input.chunks, input.maxBytes ?? 2 ** 40)
      for await (const text of decodeText(chunks, input.charset)) yield parser.write(text)
      yield parser.end()
    },
  }
}
