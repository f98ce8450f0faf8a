import type { RowParser } from '../row.ts'

/** The content of a text, Markdown or HTML document. */
export interface Document {
  title?: string | undefined
  text: string
  url?: string | undefined
  headings?: readonly string[] | undefined
}

/** Maps a document to the value of its row, with the field names of its source. */
export type DocumentMapper = (document: Document) => Record<string, unknown>

/** Returns the single row of a document; an invalid one if it has no text or could not be read. */
export function toDocumentRows(
  document: Document | { reason: string },
  toRow: DocumentMapper,
): ReturnType<RowParser['end']> {
  if ('reason' in document) return [{ line: 1, reason: document.reason }]
  const isEmpty = document.text.trim() === '' && (document.title ?? '').trim() === ''
  return isEmpty ? [{ line: 1, reason: 'has no text' }] : [{ line: 1, value: toRow(document) }]
}
