import type { DocumentType } from './document/parse-document.ts'

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

/** Returns the type of a document by its media type; undefined for rows. @param type as of `formatForMediaType` */
export function documentTypeForMediaType(type: string): DocumentType | undefined {
  const format = formatForMediaType(type)
  return format === 'html' || format === 'text' ? format : undefined
}

/** Returns the format for the extension of a path or key; a trailing `.gz` is ignored. */
export const formatForPath = (path: string): Format | undefined => formatsByExtension[fileExtension(path)]

export const isMarkdownPath = (path: string): boolean => /^(?:md|markdown)$/.test(fileExtension(path))

function fileExtension(path: string): string {
  const [, ending = ''] = /\.([a-z]+)(?:\.gz)?$/i.exec(path) ?? []
  return ending.toLowerCase()
}
