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
  'text/plain': (toRow) => createTextParser({ toRow }),
  'text/markdown': (toRow) => createTextParser({ toRow, isMarkdown: true }),
  'text/html': (toRow) => createHtmlParser({ toRow }),
}

/** Returns true if a body of this type is one record. */
export const isDocumentType = (contentType: string): boolean => Object.hasOwn(documentParsers, contentType)

/**
 * Yields the rows of a request body in batches, as they arrive.
 * @param toRow maps a text or HTML document to its row
 * @throws Problem `malformed_body` if the body as a whole cannot be read, `unsupported_media_type`
 */
export async function* parseUpload(body: BodyStream, toRow: DocumentMapper): AsyncGenerator<Row[]> {
  const parser = parsers[body.contentType]?.() ?? documentParsers[body.contentType]?.(toRow)
  if (parser === undefined) throw problem('unsupported_media_type')
  const isPage = body.contentType === 'text/html'
  const page = isPage ? await sniffHtmlCharset(body.chunks) : { chunks: body.chunks, charset: undefined }
  for await (const text of decodeText(page.chunks, body.charset ?? page.charset)) yield parser.write(text)
  yield parser.end()
}
