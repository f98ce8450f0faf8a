import { decodeText } from '../encoding/decode-text.ts'
import { peek } from '../encoding/peek.ts'
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

/** The length browsers scan (https://html.spec.whatwg.org/#determining-the-character-encoding). */
const prescanBytes = 1024

/** Returns the charset that a `meta` element at the beginning of the page declares, and the whole page. */
async function sniffHtmlCharset(
  source: AsyncIterable<Uint8Array>,
): Promise<{ charset: string | undefined; chunks: AsyncIterable<Uint8Array> }> {
  const { head, chunks } = await peek(source, prescanBytes)
  const text = head.toString('latin1').replaceAll(/<!--[\s\S]*?-->/g, '')
  const [, named] = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(text) ?? []
  // The declaration was readable as ASCII, so the page cannot be UTF-16.
  return { charset: named === undefined || /^utf-?16/i.test(named) ? undefined : named.toLowerCase(), chunks }
}
