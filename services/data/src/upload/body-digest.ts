import { createHash, type Hash, type Hmac } from 'node:crypto'

/** A body that is hashed while it is read. */
export interface HashedBody {
  chunks: AsyncIterable<Uint8Array>
  /** Returns the digest of what was read, hexadecimal. Call it once, at the end. */
  digest(): string
}

export function hashBody(chunks: AsyncIterable<Uint8Array>, hash: Hash | Hmac = createHash('sha256')): HashedBody {
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { chunks: hashed(), digest: () => hash.digest('hex') }
}

/** Reads a body to its end. Returns its digest, hexadecimal. */
export async function readDigest(
  chunks: AsyncIterable<Uint8Array>,
  hash: Hash | Hmac = createHash('sha256'),
): Promise<string> {
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
