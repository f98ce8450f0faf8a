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

/** Parses the body of a response into rows. */
export interface ContentParser {
  /** Yields the rows in batches. @throws Problem with cause and position */
  rows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]>
  /** Returns the cursor of the next page once all rows were read; null if there is none. */
  cursor(): string | null
}

/** Creates the parser for the media type of a response. @throws Problem `unsupported_media_type` */
export function createContentParser(
  { url, headers }: Pick<DocumentResponse, 'url' | 'headers'>,
  config: HttpConfig,
): ContentParser {
  const { type, charset } = parseContentType(headers['content-type'])
  const path = new URL(url).pathname
  const configured = typeof config.format === 'string' ? config.format : (config.format.type ?? 'auto')
  if (configured === 'xlsx' || configured === 'parquet') throw problem('unsupported_media_type')
  const format = configured === 'auto' ? detectFormat(type, path) : checkConfiguredFormat(configured, type)
  const { paging, rows_path: rowsPath } = config
  if (paging?.type === 'cursor' && format !== 'json')
    throw problem('unsupported_media_type', { detail: `Cursor paging needs JSON, but this is ${formatNames[format]}` })
  const json =
    format === 'json'
      ? createJsonDocumentParser({
          rowsPointer: rowsPath,
          capturePointer: paging?.type === 'cursor' ? paging.path : undefined,
        })
      : undefined
  const isMarkdown = type === 'text/markdown' || isMarkdownPath(path)
  const parser: RowParser =
    json ?? createFormatParser(format, { rowsPath, toRow: createDocumentMapper(config), url, isMarkdown })

  return {
    async *rows(bytes) {
      const content = gunzipIfCompressed(bytes, maxDocumentBytes)
      const page = format === 'html' ? await sniffHtmlCharset(content) : { chunks: content, charset: undefined }
      const text = decodeText(page.chunks, charset ?? page.charset ?? config.charset)
      for await (const chunk of text) yield parser.write(chunk)
      yield parser.end()
    },
    cursor: () => json?.captured() ?? null,
  }
}

const formatNames: Readonly<Record<Format, string>> = {
  csv: 'CSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  html: 'an HTML page',
  text: 'text',
}

/** Types that do not identify a format; the extension in the address is tried first. */
const genericTypes = new Set([
  ...['', 'application/octet-stream', 'binary/octet-stream', 'text/plain', 'application/gzip', 'application/x-gzip'],
])

function detectFormat(type: string, path: string): Format {
  const format = genericTypes.has(type) ? (formatForPath(path) ?? formatForMediaType(type)) : formatForMediaType(type)
  if (format !== undefined) return format
  const found = type === '' ? 'It has no content type' : `Its content type is ${type.slice(0, 100)}`
  throw problem('unsupported_media_type', { detail: `${found}, which names no known format; set \`format\`` })
}

/** Types without rows or text, whatever format is configured. */
const unsupportedTypes = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|x-tar|wasm|vnd\.openxmlformats|msword)/

/** Rejects an HTML page in place of data: servers send it as a sign-in or error page. */
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
