import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip } from 'node:zlib'
import { Problem, problem } from '@wp/contracts'
import { peek } from './peek.ts'

interface GunzipOptions {
  /** Reads the beginning of gzip data to its end. */
  acceptsIncomplete?: boolean | undefined
  /** Is called if the document is gzip. */
  onGzip?: (() => void) | undefined
}

/**
 * Yields the bytes of a document, decompressed if it is gzip (RFC 1952). Its first two bytes decide, whatever its name
 * and type are.
 * @param maxBytes limit of the decompressed size
 * @throws Problem `malformed_body`, `payload_too_large`
 */
export async function* gunzipIfCompressed(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  { acceptsIncomplete = false, onGzip }: GunzipOptions = {},
): AsyncGenerator<Uint8Array> {
  const { head, chunks } = await peek(source, 2)
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* limitBytes(chunks, maxBytes)
    return
  }
  onGzip?.()
  const gunzip = createGunzip(acceptsIncomplete ? { finishFlush: constants.Z_SYNC_FLUSH } : {})
  let failure: unknown
  const packed = Readable.from(chunks, { objectMode: false })
  const piping = pipeline(packed, gunzip).catch((error: unknown) => {
    failure = error
  })
  let size = 0
  try {
    for await (const chunk of gunzip) {
      const bytes: Buffer = chunk // a zlib stream yields only buffers
      size += bytes.length
      if (size > maxBytes)
        throw problem('payload_too_large', { detail: `Uncompressed it is larger than ${maxBytes / 1_048_576} MiB` })
      yield bytes
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    if (isZlibError(error)) throw corruptGzip(error, size)
    await piping
    throw failure ?? error
  } finally {
    gunzip.destroy()
    packed.destroy()
  }
}

/** The content length that the sender declared cannot be relied on. */
async function* limitBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw problem('payload_too_large', { detail: `It is larger than ${maxBytes / 1_048_576} MiB` })
    yield chunk
  }
}

/** Matches by code, not by class: under Jest the error belongs to another realm. */
const isZlibError = (error: unknown): error is { code: string } =>
  typeof error === 'object' && error !== null && 'code' in error && /^Z_/.test(String(error.code))

/** Reports the state of the data rather than the message of zlib. */
function corruptGzip(cause: { code: string }, size: number): Problem {
  const fault = cause.code === 'Z_BUF_ERROR' ? 'incomplete: it ends after' : 'damaged after'
  return problem('malformed_body', { detail: `Its gzip data is ${fault} ${size} uncompressed bytes`, cause })
}
