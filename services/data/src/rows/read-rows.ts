import { type BodyStream, problem } from '@wp/contracts'
import { createCsvReader } from './csv.ts'
import { decodeText } from './decode.ts'
import { createJsonArrayReader } from './json-array.ts'
import { createNdjsonReader } from './ndjson.ts'
import type { Row, RowReader } from './row.ts'

const readers: Readonly<Record<string, () => RowReader>> = {
  'text/csv': createCsvReader,
  'application/x-ndjson': createNdjsonReader,
  'application/json': createJsonArrayReader,
}

/**
 * The rows of a body, some at a time, as they arrive.
 * @throws Problem `malformed_body` when the body as a whole cannot be read, `unsupported_media_type`
 */
export async function* readRows(body: BodyStream): AsyncGenerator<Row[]> {
  const reader = readers[body.contentType]?.()
  if (reader === undefined) throw problem('unsupported_media_type')
  for await (const text of decodeText(body.chunks, body.charset)) yield reader.read(text)
  yield reader.end()
}
