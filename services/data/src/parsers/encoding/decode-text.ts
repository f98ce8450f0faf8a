import { setImmediate } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { problem } from '@wp/contracts'
import { errorCode, resetErrorCodes } from '@wp/runtime'

/** Shorter texts are joined up to this length, so that parsers do not rescan their buffer for every small chunk. */
const minTextLength = 65_536

/**
 * Decodes a body to text without its byte order mark. The encoding is that of the mark, else `charset`, else UTF-8
 * (https://encoding.spec.whatwg.org/#decode); invalid bytes become U+FFFD. The event loop turns after every text, so
 * that requests are served while a large body that has already arrived is parsed.
 *
 * @throws Problem `unsupported_media_type` for an unknown charset; `malformed_body` if the body is truncated
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  charset: string | undefined,
): AsyncGenerator<string> {
  if (charset !== undefined) createDecoder(charset)
  let head = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  let text = ''
  for await (const chunk of reportTruncation(chunks)) {
    let bytes: Uint8Array = chunk
    if (decoder === undefined) {
      head = Buffer.concat([head, chunk])
      if (head.length < 3) continue
      decoder = createDecoder(encodingFromBom(head) ?? charset ?? 'utf-8')
      bytes = head
    }
    text += decoder.decode(bytes, { stream: true })
    if (text.length < minTextLength) continue
    yield text
    text = ''
    await setImmediate()
  }
  decoder ??= createDecoder(encodingFromBom(head) ?? charset ?? 'utf-8')
  text += head.length < 3 ? decoder.decode(head) : decoder.decode()
  if (text !== '') yield text
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch (cause) {
    throw problem('unsupported_media_type', { detail: `The charset ${charset} is not supported`, cause })
  }
}

/** Returns the encoding that a byte order mark names; undefined without one. */
export function encodingFromBom(head: Uint8Array): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
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
