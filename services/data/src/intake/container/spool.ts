import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problem } from '@wp/contracts'

/** A temporary file, for formats whose directory is at their end. */
export interface SpooledFile {
  size: number
  /** Returns the bytes from `start` up to `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
  /** Frees the file. It may be called more than once. */
  close(): Promise<void>
}

/**
 * Writes bytes to a temporary file. The file has no name once it is open, so it cannot be left behind.
 * @throws Problem `payload_too_large`, or the error of reading
 */
export async function spool(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<SpooledFile> {
  const path = join(tmpdir(), `wp-intake-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    const size = await writeAll(file, chunks, maxBytes)
    return spooledFile(file, size)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function writeAll(file: FileHandle, chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes)
      throw problem('payload_too_large', {
        detail: `A workbook, archive or Parquet file may have ${maxBytes / 1_048_576} MiB at most`,
      })
    await file.writeFile(chunk)
  }
  return size
}

function spooledFile(file: FileHandle, size: number): SpooledFile {
  let isOpen = true
  return {
    size,
    async read(start, end) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start))
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at)
        if (bytesRead === 0) break
        at += bytesRead
      }
      return bytes
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      await file.close()
    },
  }
}
