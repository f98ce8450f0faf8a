import type { ChunkRow, EmbeddingBatch } from '../store/embeddings/record-chunks.ts'
import { chunkHash, splitIntoChunks } from './chunks.ts'
import { EmbeddingFailure } from './embedding-failure.ts'
import { encodeQuantizedVector, encodeVector } from './quantized-vector.ts'
import { maxInputs } from './request-embeddings.ts'

/** Chunks that are made of one batch; records beyond wait for the next. */
const maxChunks = 256
/** Requests under way at once. */
const maxConcurrentRequests = 4

/** What is to be kept of a batch, and the texts that must be embedded for it. */
export interface PreparedBatch {
  batch: EmbeddingBatch
  chunks: { document: number; hash: Buffer; start: number; length: number; input: string }[]
}

/** Parts the records of a batch; where that makes too many chunks, the batch ends before. */
export function prepareBatch(space: string, { records, nextDocument }: EmbeddingBatch): PreparedBatch {
  const chunks: PreparedBatch['chunks'] = []
  for (const [nth, { document, title, text }] of records.entries()) {
    const own = splitIntoChunks(title, text)
    if (nth > 0 && chunks.length + own.length > maxChunks) {
      const isNew = records[nth]?.changeCount === undefined
      return { batch: { records: records.slice(0, nth), nextDocument: isNew ? document : nextDocument }, chunks }
    }
    for (const chunk of own) chunks.push({ document, hash: chunkHash(space, chunk), ...chunk })
  }
  return { batch: { records, nextDocument }, chunks }
}

/**
 * Has embedded what is not known yet.
 * @param known documents and hashes that are kept already
 * @param embed embeds at most 64 texts
 * @returns what is to be kept; without what the provider refuses although it takes others
 * @throws what `embed` throws
 */
export async function embedMissing(
  { chunks }: PreparedBatch,
  known: ReadonlySet<string>,
  embed: (inputs: readonly string[]) => Promise<Float32Array[]>,
): Promise<ChunkRow[]> {
  const isKnown = ({ document, hash }: { document: number; hash: Buffer }) =>
    known.has(`${document} ${hash.toString('hex')}`)
  // Many records say the same: each text once.
  const inputs = [...new Set(chunks.filter((chunk) => !isKnown(chunk)).map(({ input }) => input))]
  const groups = Array.from({ length: Math.ceil(inputs.length / maxInputs) }, (_, nth) =>
    inputs.slice(nth * maxInputs, (nth + 1) * maxInputs),
  )
  const vectors = new Map<string, Float32Array | undefined>()
  for (let at = 0; at < groups.length; at += maxConcurrentRequests)
    await Promise.all(groups.slice(at, at + maxConcurrentRequests).map((group) => embedOrBisect(group, embed, vectors)))
  return chunks.flatMap((chunk): ChunkRow[] => {
    const { document, hash, start, length, input } = chunk
    if (isKnown(chunk)) return [{ document, hash, start, length, vectors: undefined }]
    const vector = vectors.get(input)
    if (vector === undefined) return []
    const encoded = { quantized: encodeQuantizedVector(vector), vector: encodeVector(vector) }
    return [{ document, hash, start, length, vectors: encoded }]
  })
}

/** A text that is not taken is found by halves; the others need not suffer for it. */
async function embedOrBisect(
  inputs: readonly string[],
  embed: (inputs: readonly string[]) => Promise<Float32Array[]>,
  vectors: Map<string, Float32Array | undefined>,
): Promise<void> {
  try {
    for (const [nth, vector] of (await embed(inputs)).entries()) vectors.set(inputs[nth] ?? '', vector)
  } catch (error) {
    if (!(error instanceof EmbeddingFailure) || error.kind !== 'refused') throw error
    if (inputs.length === 1) return assertProviderAcceptsText(error, embed)
    const middle = inputs.length >> 1
    await embedOrBisect(inputs.slice(0, middle), embed, vectors)
    await embedOrBisect(inputs.slice(middle), embed, vectors)
  }
}

/** Whether a text or everything is refused, a text that everybody takes tells. */
async function assertProviderAcceptsText(
  refusal: EmbeddingFailure,
  embed: (inputs: readonly string[]) => Promise<Float32Array[]>,
): Promise<void> {
  try {
    await embed(['test'])
  } catch (error) {
    if (error instanceof EmbeddingFailure && error.kind === 'refused')
      throw new EmbeddingFailure('unusable', refusal.message, { cause: refusal })
    throw error
  }
}
