import { type BodyStream, problem } from '@wp/contracts'
import { createCsvParser } from './csv/csv-parser.ts'
import type { DocumentMapper } from './document/document.ts'
import { createHtmlParser } from './document/html-parser.ts'
import { createTextParser } from './document/text-parser.ts'
import { decodeText } from './encoding/decode-text.ts'
import { sniffHtmlCharset } from './encoding/html-charset.ts'
import { createJsonArrayParser } from './json/json-array-parser.ts'
import { createNdjsonParser } from './json/ndjson-parser.ts'
import type { Row, RowParser } from './row.ts'

const parsers: Readonly<Record<string, () => RowParser>> = {
  'text/csv': createCsvParser,
  'application/x-ndjson': createNdjsonParser,
  'application/json': createJsonArrayParser,
}

const documentParsers: Readonly<Record<string, (toRow: DocumentMapper) => RowParser>> = {
  'text/plain': (asRow) => createTextParser({ toRow: asRow }),
  'text/markdown': (asRow) => createTextParser({ toRow: asRow, isMarkdown: true }),
  'text/html': (asRow) => createHtmlParser({ toRow: asRow }),
}

/** Whether a body of this type is one record. */
export const isDocumentType = (contentType: string): boolean => Object.hasOwn(documentParsers, contentType)

/**
 * The rows of a body, some at a time, as they arrive.
 * @param asRow what a document becomes
 * @throws Problem `malformed_body` when the body as a whole cannot be read, `unsupported_media_type`
 */
export async function* parseUpload(body: BodyStream, asRow: DocumentMapper): AsyncGenerator<Row[]> {
  const reader = parsers[body.contentType]?.() ?? documentParsers[body.contentType]?.(asRow)
  if (reader === undefined) throw problem('unsupported_media_type')
  const isPage = body.contentType === 'text/html'
  const page = isPage ? await sniffHtmlCharset(body.chunks) : { chunks: body.chunks, charset: undefined }
  for await (const text of decodeText(page.chunks, body.charset ?? page.charset)) yield reader.write(text)
  yield reader.end()
}
