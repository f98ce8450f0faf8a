import type { Query } from '@wp/database'
import { dotProduct, forEachSimilarity } from '../../embeddings/vector-math.ts'
import { listEmbeddedSources, readChunkVectors, readQuantizedVectors } from '../../store/embeddings/chunk-vectors.ts'
import type { QuantizedVectors } from '../../store/embeddings/quantized-vector.ts'
import type { TextSpan } from '../../store/search/documents.ts'
import { type QuantizedVectorCache, sizeInBytes } from '../index/quantized-vector-cache.ts'
import type { SearchSession } from '../session/search-session.ts'
import type { Ranking } from './bm25-ranking.ts'
import type { SearchedSources } from './searched-sources.ts'
import { createTopKReader } from './top-k.ts'
import type { Warning } from './warning.ts'

/** The embedding of a query. */
export interface QueryEmbedding {
  space: string
  /** Of length 1. */
  vector: Float32Array
}

/** Documents ranked by the similarity of their nearest chunk to the query. */
export interface SemanticResult {
  ranking: Ranking
  warnings: Warning[]
}

/** Number of documents that are scored again with full-precision vectors. */
const maxExact = 200

/**
 * Ranks documents by the cosine similarity of the query and their nearest chunk. Compares the query with the quantized
 * vector of every chunk, then scores the best 200 documents with full-precision vectors.
 */
export async function rankSemantically(
  session: SearchSession,
  cache: QuantizedVectorCache,
  sources: SearchedSources,
  embedding: QueryEmbedding,
): Promise<SemanticResult> {
  const { ranking, pendingDocuments } = await rankByQuantizedVectors(session, cache, sources, embedding)
  const best = createTopKReader(ranking, maxExact)(maxExact)
  for (const { position, similarity } of await findNearestChunks(session.query, best.map(sources.locate), embedding))
    ranking.scores[best[position] ?? 0] = similarity
  return { ranking, warnings: pendingDocuments === 0 ? [] : [pendingWarning(pendingDocuments)] }
}

/** Creates the function that returns the nearest chunk of each document. Documents without chunks are left out. */
export const createSpanReader =
  (query: Query, locate: SearchedSources['locate'], embedding: QueryEmbedding) =>
  async (documents: readonly number[]): Promise<Map<number, TextSpan>> => {
    const nearest = await findNearestChunks(query, documents.map(locate), embedding)
    return new Map(nearest.map(({ position, start, length }) => [documents[position] ?? 0, { start, length }]))
  }

async function rankByQuantizedVectors(
  { query, workspaceId, yieldIfDue }: SearchSession,
  cache: QuantizedVectorCache,
  sources: SearchedSources,
  { space, vector }: QueryEmbedding,
): Promise<{ ranking: Ranking; pendingDocuments: number }> {
  const embedded = await listEmbeddedSources(query, workspaceId, space)
  const embeddedById = new Map(embedded.map((source) => [source.dataSourceId, source]))
  const scores = new Float64Array(sources.maxDoc)
  const isFound = new Uint8Array(sources.maxDoc)
  let pendingDocuments = 0
  for (const { dataSourceId, base, maxDoc, isSelected } of sources.indexes) {
    const source = embeddedById.get(dataSourceId)
    if (!isSelected || source === undefined) continue
    pendingDocuments += source.pendingDocuments
    const key = { dataSourceId, space, version: source.version }
    for await (const vectors of readCachedVectors(query, cache, key, vector.length)) {
      forEachSimilarity(vectors, vector, (document, similarity) => {
        const number = base + document
        if (document >= maxDoc || (isFound[number] === 1 && similarity <= (scores[number] ?? 0))) return
        isFound[number] = 1
        scores[number] = similarity
      })
      await yieldIfDue()
    }
    // The stored chunks of changed documents no longer match their text.
    for (const document of source.changedDocuments) if (document < maxDoc) isFound[base + document] = 0
  }
  return { ranking: { documents: listFlagged(isFound), scores }, pendingDocuments }
}

export const pendingWarning = (count: number): Warning => ({
  code: 'embeddings_pending',
  message: `Up to ${count} records are not embedded yet; only a search by words finds them`,
})

function listFlagged(flags: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(flags.length)
  let count = 0
  for (let at = flags.indexOf(1); at >= 0; at = flags.indexOf(1, at + 1)) numbers[count++] = at
  return numbers.subarray(0, count)
}

interface NearestChunk extends TextSpan {
  /** Index of the document in `keys`. */
  position: number
  similarity: number
}

/**
 * Returns the most similar chunk of each document, by full-precision vectors. Documents without chunks are left out.
 */
async function findNearestChunks(
  query: Query,
  keys: Parameters<typeof readChunkVectors>[1],
  { space, vector }: QueryEmbedding,
): Promise<NearestChunk[]> {
  const nearest = new Map<number, NearestChunk>()
  for (const { vector: stored, ...chunk } of await readChunkVectors(query, keys, space, vector.length)) {
    const similarity = dotProduct(stored, vector)
    const best = nearest.get(chunk.position)
    if (best === undefined || similarity > best.similarity) nearest.set(chunk.position, { ...chunk, similarity })
  }
  return [...nearest.values()]
}

/** Reads the quantized vectors of a source through the cache. Caches them only if all of them fit. */
async function* readCachedVectors(
  query: Query,
  cache: QuantizedVectorCache,
  { dataSourceId, space, version }: { dataSourceId: string; space: string; version: number },
  dimensions: number,
): AsyncGenerator<QuantizedVectors> {
  const key = `${dataSourceId} ${space}`
  const cached = cache.get(key, version)
  if (cached !== undefined) return yield* cached
  const pages: QuantizedVectors[] = []
  let bytes = 0
  for await (const page of readQuantizedVectors(query, dataSourceId, space, dimensions)) {
    yield page
    bytes += sizeInBytes(page)
    if (bytes <= cache.maxBytes) pages.push(page)
    else pages.length = 0
  }
  if (bytes <= cache.maxBytes) cache.set(key, version, pages)
}
