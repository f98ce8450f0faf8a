import type { BodyStream } from '@wp/contracts'
import { parseUpload } from '../../src/parsers/parse-upload.ts'
import type { Row, RowParser } from '../../src/parsers/row.ts'

/** Parses a text in chunks of the given lengths; the last length is repeated. */
export function parseInPieces(reader: RowParser, text: string, lengths: readonly number[] = [text.length]): Row[] {
  const rows: Row[] = []
  for (let at = 0, piece = 0; at < text.length; piece++) {
    const length = Math.max(1, lengths[Math.min(piece, lengths.length - 1)] ?? 1)
    rows.push(...reader.write(text.slice(at, at + length)))
    at += length
  }
  return [...rows, ...reader.end()]
}

/** Returns the values of rows, or the reasons of invalid ones. */
export const valuesOf = (rows: readonly Row[]) => rows.map((row) => ('reason' in row ? row.reason : row.value))

/** Returns line and reason of invalid rows. */
export const invalidRowsOf = (rows: readonly Row[]) =>
  rows.flatMap((row) => ('reason' in row ? [{ line: row.line, reason: row.reason }] : []))

/** Parses a whole request body that arrives in chunks. */
export async function parseBody(
  contentType: string,
  chunks: readonly (string | Uint8Array)[],
  charset?: string,
): Promise<Row[]> {
  const body: BodyStream = {
    contentType,
    charset,
    contentLength: undefined,
    respondAsync: false,
    chunks: (async function* () {
      for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    })(),
  }
  const rows: Row[] = []
  for await (const some of parseUpload(body, (document) => ({ ...document }))) rows.push(...some)
  return rows
}
