import { encodeVector } from '../store/embeddings/chunk-vectors.ts'
import type { EmbeddingBatch } from '../store/embeddings/pending-documents.ts'
import { encodeQuantizedVector } from '../store/embeddings/quantized-vector.ts'
import type { ChunkRow } from '../store/embeddings/save-chunks.ts'
import { chunkKey, type StoredChunks } from '../store/embeddings/stored-chunks.ts'
import { chunkHash, splitIntoChunks } from './chunks.ts'
import { EmbeddingFailure } from './embedding-failure.ts'

/** The number of texts in one request, and of requests at once. */
export interface RequestSize {
  batchSize: number
  concurrency: number
}

/** Embeds texts; returns one vector a text, in order. */
export type EmbedTexts = (inputs: readonly string[]) => Promise<Float32Array[]>

/** A batch and its chunks. */
export interface PreparedBatch {
  batch: EmbeddingBatch
  chunks: { document: number; hash: Buffer; start: number; length: number; input: string }[]
}

/**
 * Splits the records of a batch into chunks. The batch is cut before the record that exceeds the chunks of one round of
 * requests, so that also a slow provider lets each turn save something.
 */
export function prepareBatch(
  { space, batchSize, concurrency }: RequestSize & { space: string },
  { records, nextDocument }: EmbeddingBatch,
): PreparedBatch {
  const maxChunks = batchSize * concurrency
  const chunks: PreparedBatch['chunks'] = []
  for (const [nth, { document, title, text, changeCount }] of records.entries()) {
    const own = splitIntoChunks(title, text)
    if (nth > 0 && chunks.length + own.length > maxChunks) {
      const isNew = changeCount === undefined
      return { batch: { records: records.slice(0, nth), nextDocument: isNew ? document : nextDocument }, chunks }
    }
    for (const chunk of own) chunks.push({ document, hash: chunkHash(space, chunk), ...chunk })
  }
  return { batch: { records, nextDocument }, chunks }
}

/**
 * Embeds the chunks of a batch that are not stored yet, except texts whose embedding is known.
 * @param embed is called with at most `batchSize` texts
 * @returns the rows to save, without texts that the provider refuses while it accepts others
 * @throws what `embed` throws; EmbeddingFailure `unusable` if the provider refuses every text
 */
export async function embedMissing(
  { chunks }: PreparedBatch,
  stored: StoredChunks,
  { batchSize, concurrency }: RequestSize,
  embed: EmbedTexts,
): Promise<ChunkRow[]> {
  const knownVectors = ({ hash }: { hash: Buffer }) => stored.vectors.get(hash.toString('hex'))
  const missing = chunks.filter((chunk) => !stored.keys.has(chunkKey(chunk)) && knownVectors(chunk) === undefined)
  // Records often repeat texts: each text is embedded once.
  const inputs = [...new Set(missing.map(({ input }) => input))]
  const requests = Array.from({ length: Math.ceil(inputs.length / batchSize) }, (_, nth) =>
    inputs.slice(nth * batchSize, (nth + 1) * batchSize),
  )
  const vectors = new Map<string, Float32Array>()
  for (let at = 0; at < requests.length; at += concurrency)
    await Promise.all(requests.slice(at, at + concurrency).map((texts) => embedOrBisect(texts, embed, vectors)))
  return chunks.flatMap((chunk): ChunkRow[] => {
    const { document, hash, start, length, input } = chunk
    if (stored.keys.has(chunkKey(chunk))) return [{ document, hash, start, length, vectors: undefined }]
    const known = knownVectors(chunk)
    if (known !== undefined) return [{ document, hash, start, length, vectors: known }]
    const vector = vectors.get(input)
    if (vector === undefined) return []
    const encoded = { quantizedVector: encodeQuantizedVector(vector), vector: encodeVector(vector) }
    return [{ document, hash, start, length, vectors: encoded }]
  })
}

/**
 * Embeds texts into `vectors`. If the provider refuses them, halves are tried, largest first, with at most 2·log2 n
 * further requests: enough to find one refused text among n. Texts that are refused or not reached have no vector.
 * @throws EmbeddingFailure `unusable` if the provider accepts no text at all
 */
async function embedOrBisect(
  inputs: readonly string[],
  embed: EmbedTexts,
  vectors: Map<string, Float32Array>,
): Promise<void> {
  const parts: (readonly string[])[] = [inputs]
  let [requests, hasAccepted] = [1 + 2 * Math.ceil(Math.log2(inputs.length)), false]
  let refusal: EmbeddingFailure | undefined
  for (let part = parts.shift(); part !== undefined && requests > 0; part = parts.shift(), requests--)
    try {
      for (const [nth, vector] of (await embed(part)).entries()) vectors.set(part[nth] ?? '', vector)
      hasAccepted = true
    } catch (error) {
      if (!(error instanceof EmbeddingFailure) || error.kind !== 'refused') throw error
      refusal = error
      const middle = part.length >> 1
      if (middle > 0) parts.push(part.slice(0, middle), part.slice(middle))
    }
  if (refusal !== undefined && !hasAccepted) await assertAcceptsTexts(refusal, embed)
}

/**
 * Embeds a harmless text to find out whether the provider refuses one text or all. @throws EmbeddingFailure `unusable`
 */
async function assertAcceptsTexts(refusal: EmbeddingFailure, embed: EmbedTexts): Promise<void> {
  try {
    await embed(['test'])
  } catch (error) {
    if (error instanceof EmbeddingFailure && error.kind === 'refused')
      throw new EmbeddingFailure('unusable', refusal.message, { cause: refusal })
    throw error
  }
}
