import { TextDecoder } from 'node:util'
import { decodeChunks } from './decode-chunks.ts'
import { detectEncoding, type Encoding } from './detect-encoding.ts'

/** A text whose encoding is known. */
export interface TextSource {
  encoding: Encoding
  /** The beginning of the text. */
  sample: string
  /** True if the sample is the whole text. */
  isWhole: boolean
  /** The whole text from its beginning. Read it once. */
  chunks: AsyncGenerator<string>
}

interface BytesSource {
  head: Uint8Array
  /** True if the head is the whole file. */
  isWhole: boolean
  /** The whole file from its beginning. */
  chunks: AsyncIterable<Uint8Array>
}

/** Bytes by which the layout of a text is detected. */
const sampleBytes = 524_288

/** Detects the encoding of a text. @throws Problem */
export function openText(
  { head, isWhole, chunks }: BytesSource,
  charsets: { pinned: string | undefined; declared: string | undefined },
): TextSource {
  const encoding = detectEncoding({ bytes: head, isWhole, ...charsets })
  const sampled = head.subarray(0, sampleBytes)
  const isWholeSample = isWhole && sampled.length === head.length
  const sample = new TextDecoder(encoding.name).decode(sampled, { stream: !isWholeSample })
  return { encoding, sample, isWhole: isWholeSample, chunks: decodeChunks(chunks, encoding) }
}
