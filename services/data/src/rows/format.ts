import { createCsvReader } from './csv.ts'
import type { DocumentRow } from './document.ts'
import { createHtmlReader } from './html.ts'
import { createJsonDocumentReader } from './json-document.ts'
import { createNdjsonReader } from './ndjson.ts'
import { createTextReader } from './plain-text.ts'
import type { RowReader } from './row.ts'

/** How rows are written in what is read. */
export type Format = 'csv' | 'json' | 'ndjson' | 'html' | 'text'

const byType: Readonly<Record<string, Format>> = {
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

const byEnding: Readonly<Record<string, Format>> = {
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

/** The format a media type stands for. @param type without parameters, in lower case */
export const formatOfType = (type: string): Format | undefined =>
  byType[type] ?? (/\+json$/.test(type) ? 'json' : undefined)

/** The format that the ending of a path or key stands for; `.gz` behind it tells nothing. */
export const formatOfPath = (path: string): Format | undefined => byEnding[endingOf(path)]

export const isMarkdownPath = (path: string): boolean => /^(?:md|markdown)$/.test(endingOf(path))

function endingOf(path: string): string {
  const [, ending = ''] = /\.([a-z]+)(?:\.gz)?$/i.exec(path) ?? []
  return ending.toLowerCase()
}

interface Layout {
  /** Where in a JSON document the rows are. */
  rowsPath?: string | undefined
  /** What a text or page becomes. */
  asRow: DocumentRow
  /** Where a page was found. */
  url?: string | undefined
  isMarkdown?: boolean | undefined
}

/**
 * What finds the rows of a document from a source, which is refused as a whole where it is not there to its end.
 * An upload's reader is more lenient: there is someone to look at what it answers.
 */
export function createDocumentReader(format: Format, { rowsPath, asRow, url, isMarkdown }: Layout): RowReader {
  switch (format) {
    case 'csv':
      return createCsvReader()
    case 'json':
      return createJsonDocumentReader({ rows: rowsPath })
    case 'ndjson':
      return createNdjsonReader()
    case 'html':
      return createHtmlReader({ asRow, url })
    case 'text':
      return createTextReader({ asRow, url, isMarkdown })
  }
}
