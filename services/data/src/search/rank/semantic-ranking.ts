import { setImmediate as others } from 'node:timers/promises'
import type { Query } from '@wp/database'
import { forEachSimilarity, type QuantizedVectors } from '../../embeddings/quantized-vector.ts'
import { findNearestChunks, listEmbeddedSources, readQuantizedVectors } from '../../store/embeddings/chunk-vectors.ts'
import type { TextSpan } from '../../store/search/documents.ts'
import { type QuantizedVectorCache, sizeInBytes } from '../index/quantized-vector-cache.ts'
import type { Warning } from '../query/hit-page.ts'
import type { QueryEmbedding } from '../query/query-embedding.ts'
import type { Ranking } from './bm25-ranking.ts'
import type { SearchedSources } from './searched-sources.ts'
import { createTopKReader } from './top-k.ts'

/** Documents by how near they are to what was meant. */
export interface SemanticRanking {
  ranking: Ranking
  warnings: Warning[]
  /** Of some documents, the part that is nearest. */
  nearestSpans(documents: readonly number[]): Promise<Map<number, TextSpan>>
}

/** Documents whose nearness is worked out from the vectors themselves. */
const maxExact = 200

/**
 * Ranks documents by the cosine of the query and the nearest of their chunks. Every chunk is looked at, as a sketch; the
 * best documents once more, as they are.
 */
export async function rankSemantically(
  query: Query,
  cache: QuantizedVectorCache,
  workspaceId: string,
  sources: SearchedSources,
  { space, vector }: QueryEmbedding,
): Promise<SemanticRanking> {
  const embedded = new Map((await listEmbeddedSources(query, workspaceId, space)).map((one) => [one.dataSourceId, one]))
  const scores = new Float64Array(sources.maxDoc)
  const isFound = new Uint8Array(sources.maxDoc)
  let waiting = 0
  for (const { dataSourceId, base, maxDoc: size, isSelected: isWanted } of sources.indexes) {
    const source = embedded.get(dataSourceId)
    if (!isWanted || source === undefined) continue
    waiting += source.pendingDocuments
    for await (const sketches of readCachedVectors(
      query,
      cache,
      { dataSourceId, space, version: source.version },
      vector.length,
    )) {
      forEachSimilarity(sketches, vector, (document, nearness) => {
        const number = base + document
        if (document >= size || (isFound[number] === 1 && nearness <= (scores[number] ?? 0))) return
        isFound[number] = 1
        scores[number] = nearness
      })
      await others()
    }
    // What they were embedded for they no longer say.
    for (const document of source.changedDocuments) if (document < size) isFound[base + document] = 0
  }
  const ranking = { documents: Uint32Array.from(listFlagged(isFound)), scores }
  const nearest = (documents: readonly number[]) =>
    findNearestChunks(query, documents.map(sources.locate), space, vector)
  const best = createTopKReader(ranking, maxExact)(maxExact)
  for (const { place, similarity: nearness } of await nearest(best)) scores[best[place] ?? 0] = nearness
  return {
    ranking,
    warnings: waiting === 0 ? [] : [pendingWarning(waiting)],
    nearestSpans: async (documents) =>
      new Map((await nearest(documents)).map(({ place, start, length }) => [documents[place] ?? 0, { start, length }])),
  }
}

const pendingWarning = (many: number): Warning => ({
  code: 'embeddings_pending',
  message: `Up to ${many} records are not embedded yet, and can be found by their words alone`,
})

function* listFlagged(flags: Uint8Array): Generator<number> {
  for (let at = flags.indexOf(1); at >= 0; at = flags.indexOf(1, at + 1)) yield at
}

/** From memory where nothing changed since; what has room there is kept. */
async function* readCachedVectors(
  query: Query,
  cache: QuantizedVectorCache,
  { dataSourceId, space, version }: { dataSourceId: string; space: string; version: number },
  dimensions: number,
): AsyncGenerator<QuantizedVectors> {
  const name = `${dataSourceId} ${space}`
  const known = cache.get(name, version)
  if (known !== undefined) return yield* known
  const read: QuantizedVectors[] = []
  let bytes = 0
  for await (const sketches of readQuantizedVectors(query, dataSourceId, space, dimensions)) {
    yield sketches
    bytes += sizeInBytes(sketches)
    if (bytes <= cache.maxBytes) read.push(sketches)
    else read.length = 0
  }
  if (bytes <= cache.maxBytes) cache.set(name, version, read)
}
