// The entry for programs that read files.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { UploadBody } from './contracts/types.ts'
import { uploadTypeOf } from './contracts/upload-types.ts'

/** Progress of an upload. A retry begins at 0 again. */
export interface UploadProgress {
  sentBytes: number
  totalBytes: number
}

export interface FileUploadOptions {
  /** Default: by the extension, such as `.csv`, `.xlsx`, `.parquet`, `.ics`, `.json`, `.zip` or `.md`. */
  contentType?: string
  /** Called when a chunk has been given to the connection. */
  onProgress?: (progress: UploadProgress) => void
}

/**
 * Returns the body of an upload that reads a file in chunks; it is read again for a retry.
 * @throws the error of the file system; TypeError if it is not a file, or its content type is not known
 */
export async function fileUpload(path: string, options: FileUploadOptions = {}): Promise<UploadBody> {
  const contentType = options.contentType ?? uploadTypeOf(basename(path))
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
