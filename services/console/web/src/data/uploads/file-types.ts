/** The type of a file: its content type, and a flag for one document instead of rows. */
export interface FileType {
  contentType: string
  isDocument: boolean
}

const types: Readonly<Record<string, FileType>> = {
  csv: { contentType: 'text/csv', isDocument: false },
  tsv: { contentType: 'text/csv', isDocument: false },
  ndjson: { contentType: 'application/x-ndjson', isDocument: false },
  jsonl: { contentType: 'application/x-ndjson', isDocument: false },
  json: { contentType: 'application/json', isDocument: false },
  txt: { contentType: 'text/plain', isDocument: true },
  md: { contentType: 'text/markdown', isDocument: true },
  markdown: { contentType: 'text/markdown', isDocument: true },
  html: { contentType: 'text/html', isDocument: true },
  htm: { contentType: 'text/html', isDocument: true },
}

/** The extensions that can be uploaded, as the attribute `accept`. */
export const acceptedFiles = Object.keys(types)
  .map((extension) => `.${extension}`)
  .join(',')

/** Returns the type of a file by its extension; undefined if it cannot be uploaded. */
export function fileTypeOf(name: string): FileType | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(types, extension) ? types[extension] : undefined
}

const maxNameLength = 200

/** Returns a name for a source, or a title for a document, from the name of a file. */
export function nameFromFile(fileName: string): string {
  const base = fileName.replace(/\.[^.]+$/, '')
  const words = base.replaceAll(/[_\s]+/g, ' ').trim()
  return (words || fileName).slice(0, maxNameLength)
}

/**
 * Returns the query of an upload. A document is stored under the name of its file, so that a changed file replaces its
 * previous version.
 */
export function uploadQuery(fileName: string, mode: 'incremental' | 'full'): Record<string, string> {
  const type = fileTypeOf(fileName)
  if (!type?.isDocument) return { mode }
  return { mode, key: fileName, ...(type.contentType === 'text/plain' && { title: nameFromFile(fileName) }) }
}
