import { setImmediate as others } from 'node:timers/promises'
import type { Query } from '@wp/database'
import { compareAll, type Sketches } from '../embeddings/vectors.ts'
import type { Part } from '../store/search-documents.ts'
import { listEmbedded, nearestChunks, readSketches } from '../store/search-vectors.ts'
import { bestFirst } from './best.ts'
import type { Warning } from './hits.ts'
import type { Meaning } from './meaning.ts'
import type { Ranking } from './rank.ts'
import { bytesOf, type SketchCache } from './sketch-cache.ts'
import type { SearchedSources } from './sources.ts'

/** Documents by how near they are to what was meant. */
export interface SemanticRanking {
  ranking: Ranking
  warnings: Warning[]
  /** Of some documents, the part that is nearest. */
  partsOf(documents: readonly number[]): Promise<Map<number, Part>>
}

/** Documents whose nearness is worked out from the vectors themselves. */
const mostExact = 200

/**
 * Ranks documents by the cosine of the query and the nearest of their chunks. Every chunk is looked at, as a sketch; the
 * best documents once more, as they are.
 */
export async function rankByMeaning(
  query: Query,
  cache: SketchCache,
  workspaceId: string,
  sources: SearchedSources,
  { space, vector }: Meaning,
): Promise<SemanticRanking> {
  const embedded = new Map((await listEmbedded(query, workspaceId, space)).map((one) => [one.dataSourceId, one]))
  const scores = new Float64Array(sources.size)
  const isFound = new Uint8Array(sources.size)
  let waiting = 0
  for (const { dataSourceId, base, size, isWanted } of sources.indexes) {
    const source = embedded.get(dataSourceId)
    if (!isWanted || source === undefined) continue
    waiting += source.waiting
    for await (const sketches of sketchesOf(
      query,
      cache,
      { dataSourceId, space, version: source.version },
      vector.length,
    )) {
      compareAll(sketches, vector, (document, nearness) => {
        const number = base + document
        if (document >= size || (isFound[number] === 1 && nearness <= (scores[number] ?? 0))) return
        isFound[number] = 1
        scores[number] = nearness
      })
      await others()
    }
    // What they were embedded for they no longer say.
    for (const document of source.changed) if (document < size) isFound[base + document] = 0
  }
  const ranking = { documents: Uint32Array.from(placesOf(isFound)), scores }
  const nearest = (documents: readonly number[]) => nearestChunks(query, documents.map(sources.placeOf), space, vector)
  const best = bestFirst(ranking, mostExact)(mostExact)
  for (const { place, nearness } of await nearest(best)) scores[best[place] ?? 0] = nearness
  return {
    ranking,
    warnings: waiting === 0 ? [] : [pending(waiting)],
    partsOf: async (documents) =>
      new Map((await nearest(documents)).map(({ place, start, length }) => [documents[place] ?? 0, { start, length }])),
  }
}

const pending = (many: number): Warning => ({
  code: 'embeddings_pending',
  message: `Up to ${many} records are not embedded yet, and can be found by their words alone`,
})

function* placesOf(flags: Uint8Array): Generator<number> {
  for (let at = flags.indexOf(1); at >= 0; at = flags.indexOf(1, at + 1)) yield at
}

/** From memory where nothing changed since; what has room there is kept. */
async function* sketchesOf(
  query: Query,
  cache: SketchCache,
  { dataSourceId, space, version }: { dataSourceId: string; space: string; version: number },
  dimensions: number,
): AsyncGenerator<Sketches> {
  const name = `${dataSourceId} ${space}`
  const known = cache.get(name, version)
  if (known !== undefined) return yield* known
  const read: Sketches[] = []
  let bytes = 0
  for await (const sketches of readSketches(query, dataSourceId, space, dimensions)) {
    yield sketches
    bytes += bytesOf(sketches)
    if (bytes <= cache.room) read.push(sketches)
    else read.length = 0
  }
  if (bytes <= cache.room) cache.set(name, version, read)
}
