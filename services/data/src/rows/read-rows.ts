import { type BodyStream, problem } from '@wp/contracts'
import { createCsvReader } from './csv.ts'
import { decodeText } from './decode.ts'
import type { DocumentRow } from './document.ts'
import { createHtmlReader } from './html.ts'
import { charsetOfPage } from './html-charset.ts'
import { createJsonArrayReader } from './json-array.ts'
import { createNdjsonReader } from './ndjson.ts'
import { createTextReader } from './plain-text.ts'
import type { Row, RowReader } from './row.ts'

const readers: Readonly<Record<string, () => RowReader>> = {
  'text/csv': createCsvReader,
  'application/x-ndjson': createNdjsonReader,
  'application/json': createJsonArrayReader,
}

const documentReaders: Readonly<Record<string, (asRow: DocumentRow) => RowReader>> = {
  'text/plain': (asRow) => createTextReader({ asRow }),
  'text/markdown': (asRow) => createTextReader({ asRow, isMarkdown: true }),
  'text/html': (asRow) => createHtmlReader({ asRow }),
}

/** Whether a body of this type is one record. */
export const isDocument = (contentType: string): boolean => Object.hasOwn(documentReaders, contentType)

/**
 * The rows of a body, some at a time, as they arrive.
 * @param asRow what a document becomes
 * @throws Problem `malformed_body` when the body as a whole cannot be read, `unsupported_media_type`
 */
export async function* readRows(body: BodyStream, asRow: DocumentRow): AsyncGenerator<Row[]> {
  const reader = readers[body.contentType]?.() ?? documentReaders[body.contentType]?.(asRow)
  if (reader === undefined) throw problem('unsupported_media_type')
  const isPage = body.contentType === 'text/html'
  const page = isPage ? await charsetOfPage(body.chunks) : { chunks: body.chunks, charset: undefined }
  for await (const text of decodeText(page.chunks, body.charset ?? page.charset)) yield reader.read(text)
  yield reader.end()
}
