/** Content types of the files that can be uploaded, by extension. The platform recognizes a table by its bytes. */
export const uploadTypes: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  ics: 'text/calendar',
  gz: 'application/gzip',
  zip: 'application/zip',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
}

/** Returns the content type of a file by the extension of its name; undefined if it cannot be uploaded. */
export function uploadTypeOf(name: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(uploadTypes, extension) ? uploadTypes[extension] : undefined
}
