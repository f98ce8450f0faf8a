import type { HttpConfig } from '@wp/contracts'
import { problem } from '@wp/contracts'
import { createDocumentMapper } from '../../ingest/document-mapper.ts'
import { decodeText } from '../../parsers/encoding/decode-text.ts'
import { gunzipIfCompressed } from '../../parsers/encoding/gunzip.ts'
import { sniffHtmlCharset } from '../../parsers/encoding/html-charset.ts'
import {
  createFormatParser,
  type Format,
  formatForMediaType,
  formatForPath,
  isMarkdownPath,
} from '../../parsers/format.ts'
import { createJsonDocumentParser } from '../../parsers/json/json-document-parser.ts'
import type { Row, RowParser } from '../../parsers/row.ts'
import { type DocumentResponse, maxDocumentBytes } from './fetch-document.ts'

/** The rows of a document, some at a time, and what stands where the next cursor is looked for. */
export interface ContentParser {
  /** @throws Problem with what cannot be read, and where */
  rows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]>
  cursor(): string | null
}

/** What an answer's bytes are to be read as. @throws Problem `unsupported_media_type` */
export function createContentParser(
  answer: Pick<DocumentResponse, 'url' | 'headers'>,
  config: HttpConfig,
): ContentParser {
  const { type, charset } = parseContentType(answer.headers['content-type'])
  const path = new URL(answer.url).pathname
  const format = config.format === 'auto' ? detectFormat(type, path) : checkConfiguredFormat(config.format, type)
  const { paging, rows_path: rowsPath } = config
  if (paging?.type === 'cursor' && format !== 'json')
    throw problem('unsupported_media_type', { detail: `A cursor is found in JSON, but this is ${formatNames[format]}` })
  const json =
    format === 'json'
      ? createJsonDocumentParser({
          rowsPointer: rowsPath,
          capturePointer: paging?.type === 'cursor' ? paging.path : undefined,
        })
      : undefined
  const isMarkdown = type === 'text/markdown' || isMarkdownPath(path)
  const reader: RowParser =
    json ?? createFormatParser(format, { rowsPath, toRow: createDocumentMapper(config), url: answer.url, isMarkdown })

  return {
    async *rows(bytes) {
      const plain = gunzipIfCompressed(bytes, maxDocumentBytes)
      const page = format === 'html' ? await sniffHtmlCharset(plain) : { chunks: plain, charset: undefined }
      const text = decodeText(page.chunks, charset ?? page.charset ?? config.charset)
      for await (const piece of text) yield reader.write(piece)
      yield reader.end()
    },
    cursor: () => json?.captured() ?? null,
  }
}

const formatNames: Readonly<Record<Format, string>> = {
  csv: 'CSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  html: 'a page of HTML',
  text: 'text',
}

/** Types that say only that there are bytes, or some text; then the name tells more. */
const genericTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain', 'application/gzip'])
genericTypes.add('application/x-gzip')

function detectFormat(type: string, path: string): Format {
  const format = genericTypes.has(type) ? (formatForPath(path) ?? formatForMediaType(type)) : formatForMediaType(type)
  if (format !== undefined) return format
  const what = type === '' ? 'It has no content type' : `Its content type is ${type.slice(0, 100)}`
  throw problem('unsupported_media_type', { detail: `${what}, by which it cannot be read; \`format\` says what it is` })
}

/** What no rows or words are in, whatever the config says. */
const unsupportedTypes = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|x-tar|wasm|vnd\.openxmlformats|msword)/

/** A page where data should be is what servers show to those who must sign in first, or when something is wrong. */
function checkConfiguredFormat(format: Format, type: string): Format {
  const isPage = formatForMediaType(type) === 'html' && (format === 'csv' || format === 'json' || format === 'ndjson')
  if (!isPage && !unsupportedTypes.test(type)) return format
  throw problem('unsupported_media_type', {
    detail: `It should be ${formatNames[format]}, but its content type is ${type}`,
  })
}

function parseContentType(field: string | string[] | undefined): { type: string; charset: string | undefined } {
  const [text = ''] = [field ?? []].flat()
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  const [charset] = parameters.flatMap((parameter) => /^charset\s*=\s*["']?([^"']+)/i.exec(parameter)?.[1] ?? [])
  return { type: type.toLowerCase(), charset: charset?.trim().toLowerCase() }
}
