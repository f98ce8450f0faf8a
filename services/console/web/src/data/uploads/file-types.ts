import { uploadTypeOf, uploadTypes } from '@wp/contracts/upload-types'

/** The type of a file by its extension. */
export interface FileType {
  /** The content type of its upload. The platform recognizes a table by its bytes. */
  contentType: string
  /** Content of the file: rows of a table, one document, or either, which only the content tells. */
  content: 'rows' | 'document' | 'either'
}

/** The extensions that can be uploaded, as the attribute `accept`. */
export const acceptedFiles = Object.keys(uploadTypes)
  .map((extension) => `.${extension}`)
  .join(',')

const contents: Readonly<Record<string, FileType['content']>> = {
  'text/plain': 'either',
  'text/markdown': 'document',
  'text/html': 'document',
}

/** Returns the type of a file by its extension; undefined if it cannot be uploaded. */
export function fileTypeOf(name: string): FileType | undefined {
  const contentType = uploadTypeOf(name)
  if (contentType === undefined) return undefined
  return { contentType, content: contents[contentType] ?? 'rows' }
}

/** Spreadsheets that the program in which they were made can save as a workbook that can be read. */
const otherSpreadsheets: ReadonlySet<string> = new Set(['xls', 'xlsb', 'xlsm', 'ods', 'numbers'])

/** Returns true for a spreadsheet that must be saved in another format first. */
export const isOtherSpreadsheet = (name: string): boolean =>
  otherSpreadsheets.has(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')

const maxNameLength = 200

/** Returns a name for a source, or a title for a document, from the name of a file. */
export function nameFromFile(fileName: string): string {
  const base = fileName.replace(/\.(?:gz|zip)$/i, '').replace(/\.[^.]+$/, '')
  const words = base.replaceAll(/[_\s]+/g, ' ').trim()
  return (words || fileName).slice(0, maxNameLength)
}

/** The part of an upload that its request depends on. */
export interface UploadOptions {
  mode: 'incremental' | 'period' | 'full'
  /** The file is stored as one document. */
  isDocument: boolean
  allowsDeletions: boolean
}

/**
 * Returns the query of an upload. A document is stored under the name of its file, so that a changed file replaces its
 * previous version.
 */
export function uploadQuery(fileName: string, options: UploadOptions): Record<string, string> {
  const { mode, isDocument, allowsDeletions } = options
  const common = { mode, ...(allowsDeletions && { allow_deletions: 'true' }) }
  if (!isDocument) return common
  const isPlainText = fileTypeOf(fileName)?.contentType === 'text/plain'
  return { ...common, key: fileName, ...(isPlainText && { title: nameFromFile(fileName) }) }
}

/** Returns the content type of an upload. Rows in a file of plain text are no document. */
export function uploadContentType(fileName: string, isDocument: boolean): string {
  const type = fileTypeOf(fileName)
  if (type === undefined || (type.content === 'either' && !isDocument)) return 'text/csv'
  return type.contentType
}
