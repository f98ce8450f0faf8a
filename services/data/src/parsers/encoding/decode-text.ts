import { problem } from '@wp/contracts'
import { errorCode, resetErrorCodes } from '@wp/runtime'
import { encodingFromBom } from '../../intake/text/byte-patterns.ts'
import { decodeChunks } from '../../intake/text/decode-chunks.ts'
import { canonicalCharset } from '../../intake/text/detect-encoding.ts'
import { peek } from './peek.ts'

const bomBytes = 3

/**
 * Decodes a body to text without its byte order mark, as `decodeChunks` does. The encoding is that of the mark, else
 * `charset`, else UTF-8 (https://encoding.spec.whatwg.org/#decode).
 *
 * @throws Problem `unsupported_media_type` for an unknown charset; `malformed_body` if the body is truncated
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  charset: string | undefined,
): AsyncGenerator<string> {
  const stated = canonicalCharset(charset ?? 'utf-8')
  const { head, chunks } = await peek(reportTruncation(source), bomBytes)
  yield* decodeChunks(chunks, { name: encodingFromBom(head) ?? stated, confidence: 1, isUndecided: false })
}

/** Reports a body that ends early as an error of the sender, not of this service. */
export async function* reportTruncation(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next().catch((cause: unknown) => {
      if (isConnectionLost(cause))
        throw problem('malformed_body', { detail: 'The body ended before it was complete', cause })
      throw cause
    })
    if (next.done === true) return
    yield next.value
  }
}

/** Returns true for the errors of Node for a request whose connection was lost. */
function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error)
  return code !== undefined && (resetErrorCodes.has(code) || code === 'ERR_STREAM_PREMATURE_CLOSE')
}
