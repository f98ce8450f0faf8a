import { type HttpConfig, problem, type SourceFormat, type SyncWarning } from '@wp/contracts'
import { createDocumentMapper } from '../../ingest/document-mapper.ts'
import { openTable } from '../../intake/open-table.ts'
import { assertDocumentAllowed } from '../../intake/problems.ts'
import { type DocumentType, parseDocument } from '../../parsers/document/parse-document.ts'
import { gunzipIfCompressed } from '../../parsers/encoding/gunzip.ts'
import { formatForMediaType, formatForPath, isMarkdownPath } from '../../parsers/format.ts'
import { createJsonDocumentParser, type JsonDocumentParser } from '../../parsers/json/json-document-parser.ts'
import type { Row } from '../../parsers/row.ts'
import { type DetectedFormat, storableFormat } from '../../schema/source-format.ts'
import type { CrawlRequest } from '../source-reader.ts'
import { type DocumentResponse, maxDocumentBytes } from './fetch-document.ts'

/** The body of a response whose format is known. */
export interface OpenedContent {
  format: DetectedFormat
  warnings: SyncWarning[]
  /** Yields the rows in batches. @throws Problem with cause and position */
  rows(): AsyncGenerator<Row[]>
  /** Returns the cursor of the next page once all rows were read; null if there is none. */
  cursor(): string | null
}

/**
 * Opens the body of a response: a document, or a table of any type.
 * @param known the known part of the format
 * @throws Problem
 */
export async function openContent(
  { url, headers }: Pick<DocumentResponse, 'url' | 'headers'>,
  bytes: AsyncIterable<Uint8Array>,
  { config, protection }: Pick<CrawlRequest<HttpConfig>, 'config' | 'protection'>,
  known: SourceFormat,
  now: () => number,
): Promise<OpenedContent> {
  const { type, charset } = parseContentType(headers['content-type'])
  const path = new URL(url).pathname
  assertReadable(type, known)
  const documentType = documentTypeOf(type, path, known)
  if (documentType !== undefined) {
    assertDocumentAllowed(protection)
    assertCursorPaging(config, documentType)
    return {
      format: { known, detected: { ...known, type: documentType } },
      warnings: [],
      rows: () =>
        parseDocument(documentType, gunzipIfCompressed(bytes, maxDocumentBytes), {
          toRow: createDocumentMapper(config),
          url,
          isMarkdown: type === 'text/markdown' || isMarkdownPath(path),
          charset,
          defaultCharset: config.charset,
        }),
      cursor: () => null,
    }
  }
  const { paging, rows_path: rowsPointer } = config
  let json: JsonDocumentParser | undefined
  const table = await openTable({
    chunks: bytes,
    contentType: type,
    charset: charset ?? config.charset,
    fileName: path,
    format: known,
    declarations: config,
    keyField: config.key,
    protection,
    maxBytes: maxDocumentBytes,
    now,
    createJsonParser() {
      const capturePointer = paging === undefined ? nextPageMembers : 'path' in paging ? paging.path : undefined
      json = createJsonDocumentParser({ rowsPointer, capturePointer })
      return json
    },
  })
  try {
    assertCursorPaging(config, table.format.type)
  } catch (error) {
    await table.close()
    throw error
  }
  return {
    format: { known, detected: storableFormat({ known, detected: table.format }, true) },
    warnings: table.warnings,
    rows: table.rows,
    cursor: () => json?.captured() ?? null,
  }
}

/** Members by which feeds usually name the next page. */
const nextPageMembers = [
  ...['/@odata.nextLink', '/next', '/next_page', '/next_page_url', '/next_cursor', '/nextPageToken', '/links/next'],
  ...['/paging/next', '/pagination/next', '/pagination/next_cursor', '/meta/next', '/meta/next_cursor'],
]

const formatNames: Readonly<Record<NonNullable<SourceFormat['type']>, string>> = {
  csv: 'CSV',
  xlsx: 'a workbook',
  parquet: 'Parquet',
  json: 'JSON',
  ndjson: 'NDJSON',
  icalendar: 'a calendar',
  html: 'an HTML page',
  text: 'text',
}

/** Types that do not identify a format; the extension in the address is tried first. */
const genericTypes = new Set([
  ...['', 'application/octet-stream', 'binary/octet-stream', 'text/plain', 'application/gzip', 'application/x-gzip'],
])

/** Returns the type of a document; undefined for rows, whose bytes tell of what type they are. */
function documentTypeOf(type: string, path: string, known: SourceFormat): DocumentType | undefined {
  const byName = genericTypes.has(type) ? (formatForPath(path) ?? formatForMediaType(type)) : formatForMediaType(type)
  const format = known.type ?? byName
  return format === 'html' || format === 'text' ? format : undefined
}

/** Types without rows or text, whatever format is configured. */
const unsupportedTypes = /^(?:image|audio|video|font)\/|^application\/(?:pdf|x-tar|wasm|msword)/

/** Rejects media without rows, and an HTML page in place of data: servers send it as a sign-in or error page. */
function assertReadable(type: string, known: SourceFormat): void {
  if (unsupportedTypes.test(type))
    throw problem('unsupported_media_type', { detail: `Its content type is ${type.slice(0, 100)}, which has no rows` })
  const isRows = known.type !== undefined && known.type !== 'html' && known.type !== 'text'
  if (isRows && formatForMediaType(type) === 'html')
    throw problem('unexpected_format', {
      detail: `It should be ${formatNames[known.type ?? 'csv']}, but its content type is ${type}`,
    })
}

function assertCursorPaging({ paging }: HttpConfig, type: SourceFormat['type']): void {
  if (paging !== undefined && 'path' in paging && paging.path !== undefined && type !== undefined && type !== 'json')
    throw problem('unsupported_media_type', {
      detail: `Paging by a value in the response needs JSON, but this is ${formatNames[type]}`,
    })
}

/** Parses a `Content-Type` field. */
export function parseContentType(field: string | string[] | undefined): { type: string; charset: string | undefined } {
  const [text = ''] = [field ?? []].flat()
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  const [charset] = parameters.flatMap((parameter) => /^charset\s*=\s*["']?([^"']+)/i.exec(parameter)?.[1] ?? [])
  return { type: type.toLowerCase(), charset: charset?.trim().toLowerCase() }
}
