import { createHash } from 'node:crypto'

/** A body that is hashed while it is read. */
export interface HashedBody {
  chunks: AsyncIterable<Uint8Array>
  /** Returns the SHA-256 of what was read, hexadecimal. Call it once, at the end. */
  digest(): string
}

export function hashBody(chunks: AsyncIterable<Uint8Array>): HashedBody {
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { chunks: hashed(), digest: () => hash.digest('hex') }
}

/** Reads a body to its end. Returns its SHA-256, hexadecimal. */
export async function readDigest(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
