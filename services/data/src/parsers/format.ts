import { createCsvParser } from './csv/csv-parser.ts'
import type { DocumentMapper } from './document/document.ts'
import { createHtmlParser } from './document/html-parser.ts'
import { createTextParser } from './document/text-parser.ts'
import { createJsonDocumentParser } from './json/json-document-parser.ts'
import { createNdjsonParser } from './json/ndjson-parser.ts'
import type { RowParser } from './row.ts'

/** Format of a document that rows are read from. */
export type Format = 'csv' | 'json' | 'ndjson' | 'html' | 'text'

const formatsByMediaType: Readonly<Record<string, Format>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/json': 'json',
  'text/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/jsonlines': 'ndjson',
  'application/x-jsonlines': 'ndjson',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'text',
  'text/markdown': 'text',
}

const formatsByExtension: Readonly<Record<string, Format>> = {
  csv: 'csv',
  tsv: 'csv',
  json: 'json',
  geojson: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  txt: 'text',
  text: 'text',
  md: 'text',
  markdown: 'text',
}

/** Returns the format of a media type. @param type without parameters, in lower case */
export const formatForMediaType = (type: string): Format | undefined =>
  formatsByMediaType[type] ?? (/\+json$/.test(type) ? 'json' : undefined)

/** Returns the format for the extension of a path or key; a trailing `.gz` is ignored. */
export const formatForPath = (path: string): Format | undefined => formatsByExtension[fileExtension(path)]

export const isMarkdownPath = (path: string): boolean => /^(?:md|markdown)$/.test(fileExtension(path))

function fileExtension(path: string): string {
  const [, ending = ''] = /\.([a-z]+)(?:\.gz)?$/i.exec(path) ?? []
  return ending.toLowerCase()
}

interface FormatOptions {
  /** JSON Pointer of the rows in a JSON document. */
  rowsPath?: string | undefined
  /** Maps a text or page to its row. */
  toRow: DocumentMapper
  /** The address of a page. */
  url?: string | undefined
  isMarkdown?: boolean | undefined
}

/**
 * Creates the parser for a document of a source. A truncated JSON document is rejected as a whole; an upload is parsed
 * more leniently, because its sender sees the response.
 */
export function createFormatParser(format: Format, { rowsPath, toRow, url, isMarkdown }: FormatOptions): RowParser {
  switch (format) {
    case 'csv':
      return createCsvParser()
    case 'json':
      return createJsonDocumentParser({ rowsPointer: rowsPath })
    case 'ndjson':
      return createNdjsonParser()
    case 'html':
      return createHtmlParser({ toRow, url })
    case 'text':
      return createTextParser({ toRow, url, isMarkdown })
  }
}
