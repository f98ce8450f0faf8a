import { createHash } from 'node:crypto'

/** A file of a build of the app, with its content in the encodings of HTTP that make it smaller. */
export interface WebFile {
  contentType: string
  content: Buffer
  gzip: Buffer | null
  brotli: Buffer | null
}

/** Returns a strong entity tag of bytes. */
export const etagOfBytes = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
