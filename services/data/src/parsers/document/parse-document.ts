import { decodeText } from '../encoding/decode-text.ts'
import { sniffHtmlCharset } from '../encoding/html-charset.ts'
import type { Row } from '../row.ts'
import type { DocumentMapper } from './document.ts'
import { createHtmlParser } from './html-parser.ts'
import { createTextParser } from './text-parser.ts'

export type DocumentType = 'html' | 'text'

interface DocumentOptions {
  /** Maps a text or page to its row. */
  toRow: DocumentMapper
  /** The address of a page. */
  url?: string | undefined
  isMarkdown?: boolean | undefined
  /** The charset that its sender declares. */
  charset: string | undefined
  /** The charset of a document that declares none. */
  defaultCharset?: string | undefined
}

/**
 * Yields the row of a text, Markdown or HTML document.
 * @throws Problem `unsupported_media_type` for an unknown charset; `malformed_body` if the document is truncated
 */
export async function* parseDocument(
  type: DocumentType,
  chunks: AsyncIterable<Uint8Array>,
  { toRow, url, isMarkdown, charset, defaultCharset }: DocumentOptions,
): AsyncGenerator<Row[]> {
  const parser = type === 'html' ? createHtmlParser({ toRow, url }) : createTextParser({ toRow, url, isMarkdown })
  const page = type === 'html' ? await sniffHtmlCharset(chunks) : { chunks, charset: undefined }
  for await (const text of decodeText(page.chunks, charset ?? page.charset ?? defaultCharset)) yield parser.write(text)
  yield parser.end()
}
