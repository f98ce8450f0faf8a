import { setImmediate } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { isAscii } from './byte-patterns.ts'
import { detectEncoding, type Encoding } from './detect-encoding.ts'

/**
 * Shorter texts are joined up to this length, so that parsers do not rescan their buffer for every small chunk. Larger
 * chunks, such as the beginning that was read to detect the format, are divided: each byte may be a row.
 */
const textLength = 65_536
/** Bytes from the first one that is not ASCII by which an undecided encoding is detected. */
const lateSampleBytes = 1_048_576

/**
 * Decodes a text without its byte order mark; invalid bytes become U+FFFD. The event loop turns after every text, so
 * that requests are served while a large body that has already arrived is parsed.
 *
 * If the first bytes did not tell the encoding, because all were ASCII, the first others decide.
 */
export async function* decodeChunks(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decided = encoding.isUndecided ? decideLate(chunks) : { chunks, decoder: new TextDecoder(encoding.name) }
  let text = ''
  for await (const chunk of decided.chunks)
    for (let start = 0; start < chunk.length; ) {
      const end = start + textLength - text.length
      text += decided.decoder.decode(chunk.subarray(start, end), { stream: true })
      start = end
      if (text.length < textLength) continue
      yield text
      text = ''
      await setImmediate()
    }
  text += decided.decoder.decode()
  if (text !== '') yield text
}

function decideLate(source: AsyncIterable<Uint8Array>) {
  const decided = { decoder: new TextDecoder('utf-8'), chunks: withDecision(source) }
  async function* withDecision(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let pending: Uint8Array[] | undefined
    let size = 0
    let isDecided = false
    for await (const chunk of chunks) {
      if (isDecided || (pending === undefined && isAscii(chunk))) {
        yield chunk
        continue
      }
      pending ??= []
      pending.push(chunk)
      size += chunk.length
      if (size < lateSampleBytes) continue
      yield decide(pending, false)
      isDecided = true
    }
    if (pending !== undefined && !isDecided) yield decide(pending, true)
  }
  function decide(pending: readonly Uint8Array[], isWhole: boolean): Uint8Array {
    const bytes = Buffer.concat(pending)
    decided.decoder = new TextDecoder(detectEncoding({ bytes, isWhole, pinned: undefined, declared: undefined }).name)
    return bytes
  }
  return decided
}
