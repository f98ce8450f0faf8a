import type { RowParser } from '../row.ts'

/** What a plain document says: a text, or a page that was turned into one. */
export interface Document {
  title?: string | undefined
  text: string
  url?: string | undefined
  headings?: readonly string[] | undefined
}

/** What the one row of a document holds, by the names its source gives title, text and address. */
export type DocumentMapper = (document: Document) => Record<string, unknown>

/** The one row of a document, or why there is none. */
export function toDocumentRows(
  document: Document | { reason: string },
  toRow: DocumentMapper,
): ReturnType<RowParser['end']> {
  if ('reason' in document) return [{ line: 1, reason: document.reason }]
  const isEmpty = document.text.trim() === '' && (document.title ?? '').trim() === ''
  return isEmpty ? [{ line: 1, reason: 'has no text' }] : [{ line: 1, value: toRow(document) }]
}
