import type { TextSpan } from '../../../store/search/documents.ts'
import type { QueryEmbedding } from '../../rank/semantic-ranking.ts'
import { vectorField } from '../index/index-definition.ts'
import type { EngineRequest } from './engine-request.ts'
import { allOf, type EngineQuery } from './filter-query.ts'
import type { EngineHit, WorkspaceSearch } from './workspace-search.ts'

/** A record found by meaning. */
export interface NearestHit {
  recordId: string
  /** Cosine similarity of the nearest chunk. */
  similarity: number
  span: TextSpan | undefined
}

/** Number of nearest documents that are compared for a page; the ranking of further pages compares more. */
const neighbours = 1_000

/** The most neighbours that OpenSearch allows. */
const maxNeighbours = 10_000

/**
 * Documents that are all compared, if they have two chunks or fewer on average. A search of the graph may miss the best
 * match if many vectors are equal, and is not faster at that size: 10,000 vectors of 768 dimensions took 62 ms, a
 * search of their graph for 1,000 neighbours 85 ms.
 */
const maxCompared = maxNeighbours / 2

/**
 * Ranks documents by the similarity of their nearest chunk to the query. Lucene compares all chunks that pass the
 * filters if they are no more than the neighbours asked for; otherwise it searches the graph of vectors (HNSW), in
 * which filters apply while it is searched.
 * @param options.size number of hits
 * @param options.documents number of documents of the searched sources
 * @param options.hasSpans false if only the order is needed, because spans of many hits take long
 */
export async function rankByMeaning(
  search: WorkspaceSearch,
  workspaceId: string,
  { filters }: Pick<EngineRequest, 'filters'>,
  { space, vector }: QueryEmbedding,
  options: { size: number; documents: number; hasSpans: boolean; [option: string]: unknown },
): Promise<NearestHit[]> {
  const { size, documents, hasSpans, ...others } = options
  const k = documents <= maxCompared ? maxNeighbours : Math.max(neighbours, Math.min(maxNeighbours, size))
  const filter = allOf([{ term: { workspace_id: workspaceId } }, inSpace(space), ...filters])
  const knn = { [`chunks.${vectorField(vector.length)}`]: { vector: Array.from(vector), k, filter } }
  const query = {
    nested: {
      path: 'chunks',
      score_mode: 'max',
      query: { knn },
      ...(hasSpans && { inner_hits: { size: 1, _source: ['chunks.start', 'chunks.length'] } }),
      ignore_unmapped: true,
    },
  }
  const { hits } = await search.run({ query, size, track_total_hits: false, ...others })
  return hits.hits.map((hit) => ({ recordId: hit._id, similarity: toCosine(hit._score ?? 0), span: spanOf(hit) }))
}

export const inSpace = (space: string): EngineQuery => ({ term: { space } })

/** Lucene returns (1 + cosine) / 2, which is never negative. */
const toCosine = (score: number): number => 2 * score - 1
export const fromCosine = (cosine: number): number => (1 + cosine) / 2

function spanOf({ inner_hits: inner }: EngineHit): TextSpan | undefined {
  const source = inner?.chunks?.hits.hits[0]?._source
  return source && { start: source.start, length: source.length }
}
