import type { HttpConfig } from '@wp/contracts'
import { problem } from '@wp/contracts'
import { documentRows } from '../../ingest/document-row.ts'
import { decodeText } from '../../rows/decode.ts'
import { createDocumentReader, type Format, formatOfPath, formatOfType, isMarkdownPath } from '../../rows/format.ts'
import { gunzipped } from '../../rows/gunzip.ts'
import { charsetOfPage } from '../../rows/html-charset.ts'
import { createJsonDocumentReader } from '../../rows/json-document.ts'
import type { Row, RowReader } from '../../rows/row.ts'
import { type Answer, maxDocumentBytes } from './fetch.ts'

/** The rows of a document, some at a time, and what stands where the next cursor is looked for. */
export interface Content {
  /** @throws Problem with what cannot be read, and where */
  rows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]>
  cursor(): string | null
}

/** What an answer's bytes are to be read as. @throws Problem `unsupported_media_type` */
export function contentOf(answer: Pick<Answer, 'url' | 'headers'>, config: HttpConfig): Content {
  const { type, charset } = typeOf(answer.headers['content-type'])
  const path = new URL(answer.url).pathname
  const format = config.format === 'auto' ? detected(type, path) : agreed(config.format, type)
  const { paging, rows_path: rowsPath } = config
  if (paging?.type === 'cursor' && format !== 'json')
    throw problem('unsupported_media_type', { detail: `A cursor is found in JSON, but this is ${nameOf[format]}` })
  const json =
    format === 'json'
      ? createJsonDocumentReader({ rows: rowsPath, watch: paging?.type === 'cursor' ? paging.path : undefined })
      : undefined
  const isMarkdown = type === 'text/markdown' || isMarkdownPath(path)
  const reader: RowReader =
    json ?? createDocumentReader(format, { rowsPath, asRow: documentRows(config), url: answer.url, isMarkdown })

  return {
    async *rows(bytes) {
      const plain = gunzipped(bytes, maxDocumentBytes)
      const page = format === 'html' ? await charsetOfPage(plain) : { chunks: plain, charset: undefined }
      const text = decodeText(page.chunks, charset ?? page.charset ?? config.charset)
      for await (const piece of text) yield reader.read(piece)
      yield reader.end()
    },
    cursor: () => json?.watched() ?? null,
  }
}

const nameOf: Readonly<Record<Format, string>> = {
  csv: 'CSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  html: 'a page of HTML',
  text: 'text',
}

/** Types that say only that there are bytes, or some text; then the name tells more. */
const vague = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain', 'application/gzip'])
vague.add('application/x-gzip')

function detected(type: string, path: string): Format {
  const format = vague.has(type) ? (formatOfPath(path) ?? formatOfType(type)) : formatOfType(type)
  if (format !== undefined) return format
  const what = type === '' ? 'It has no content type' : `Its content type is ${type.slice(0, 100)}`
  throw problem('unsupported_media_type', { detail: `${what}, by which it cannot be read; \`format\` says what it is` })
}

/** What no rows or words are in, whatever the config says. */
const unreadable = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|x-tar|wasm|vnd\.openxmlformats|msword)/

/** A page where data should be is what servers show to those who must sign in first, or when something is wrong. */
function agreed(format: Format, type: string): Format {
  const isPage = formatOfType(type) === 'html' && (format === 'csv' || format === 'json' || format === 'ndjson')
  if (!isPage && !unreadable.test(type)) return format
  throw problem('unsupported_media_type', { detail: `It should be ${nameOf[format]}, but its content type is ${type}` })
}

function typeOf(field: string | string[] | undefined): { type: string; charset: string | undefined } {
  const [text = ''] = [field ?? []].flat()
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  const [charset] = parameters.flatMap((parameter) => /^charset\s*=\s*["']?([^"']+)/i.exec(parameter)?.[1] ?? [])
  return { type: type.toLowerCase(), charset: charset?.trim().toLowerCase() }
}
