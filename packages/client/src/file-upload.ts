// The entry for programs that read files.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { UploadBody } from './contracts/types.ts'

/** Progress of an upload. A retry begins at 0 again. */
export interface UploadProgress {
  sentBytes: number
  totalBytes: number
}

export interface FileUploadOptions {
  /** Default: by the extension, such as `.csv`, `.xlsx`, `.parquet`, `.ics`, `.json`, `.gz` or `.zip`. */
  contentType?: string
  /** Called when a chunk has been given to the connection. */
  onProgress?: (progress: UploadProgress) => void
}

const contentTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.parquet': 'application/vnd.apache.parquet',
  '.ics': 'text/calendar',
  '.gz': 'application/gzip',
  '.zip': 'application/zip',
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
}

/**
 * Returns the body of an upload that reads a file in chunks; it is read again for a retry.
 * @throws the error of the file system; TypeError if it is not a file, or its content type is not known
 */
export async function fileUpload(path: string, options: FileUploadOptions = {}): Promise<UploadBody> {
  const contentType = options.contentType ?? contentTypes[extname(path).toLowerCase()]
  if (contentType === undefined) throw new TypeError(`contentType: is required for ${path}`)
  const info = await stat(path)
  if (!info.isFile()) throw new TypeError(`path: ${path} is not a file`)
  return { contentType, content: () => readChunks(path, info.size, options.onProgress) }
}

async function* readChunks(
  path: string,
  totalBytes: number,
  onProgress: FileUploadOptions['onProgress'],
): AsyncGenerator<Uint8Array> {
  let sentBytes = 0
  for await (const chunk of createReadStream(path)) {
    yield chunk
    sentBytes += chunk.length
    onProgress?.({ sentBytes, totalBytes })
  }
}
