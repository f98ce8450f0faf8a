import type { Query } from '@wp/database'
import {
  decodeQuantizedVectors,
  decodeVector,
  dotProduct,
  type QuantizedVectors,
} from '../../embeddings/quantized-vector.ts'
import type { DocumentKey } from '../search/documents.ts'

/** What is embedded of a source. */
export interface EmbeddedSource {
  dataSourceId: string
  /** Names what is kept now. */
  version: number
  /** Documents whose text is another by now. */
  changedDocuments: number[]
  /** How many documents wait to be embedded, at most: deleted ones may count. */
  pendingDocuments: number
}

/** What is embedded of the sources of a workspace, in one space. */
export async function listEmbeddedSources(query: Query, workspaceId: string, space: string): Promise<EmbeddedSource[]> {
  const rows = await query<Omit<EmbeddedSource, 'pendingDocuments'> & { documents: number; beyond: number }>(
    `SELECT data_source_id AS "dataSourceId", coalesce(progress.version, 0) AS version, index.documents,
            index.next_document - coalesce(progress.next_document, 0) AS beyond,
            ARRAY (SELECT document FROM embedding_changes AS change
                    WHERE change.data_source_id = source.data_source_id) AS "changedDocuments"
       FROM data_sources AS source JOIN search_indexes AS index USING (workspace_id, data_source_id)
       LEFT JOIN (SELECT data_source_id, version, next_document FROM embedding_progress
                   WHERE workspace_id = $1 AND space = $2) AS progress USING (data_source_id)
      WHERE workspace_id = $1`,
    [workspaceId, space],
  )
  return rows.map(({ documents, beyond, changedDocuments: changed, ...rest }) => ({
    ...rest,
    changedDocuments: changed,
    pendingDocuments: Math.min(documents, beyond + changed.length),
  }))
}

/** Chunks of a page; a page of the longest sketches takes 8 MB. */
const chunksPerPage = 2_000

/** Reads the sketches of a source page by page, in the order of its documents. Those of another size are left out. */
export async function* readQuantizedVectors(
  query: Query,
  dataSourceId: string,
  space: string,
  dimensions: number,
): AsyncGenerator<QuantizedVectors> {
  let after: { document: number; hash: Buffer } = { document: -1, hash: Buffer.alloc(0) }
  for (;;) {
    // All are gathered in the order in which the rows come, whichever that is: to sort them again would take longer.
    const [page] = await query<{ documents: number[] | null; hashes: Buffer[]; sketches: Buffer }>(
      `SELECT array_agg(document) AS documents, array_agg(hash) AS hashes, string_agg(sketch, ''::bytea) AS sketches
         FROM (SELECT document, hash, sketch FROM record_chunks
                WHERE data_source_id = $1 AND (document, hash) > ($2, $3) AND space = $4
                  AND octet_length(sketch) = $5 + 4
                ORDER BY document, hash LIMIT ${chunksPerPage}) AS next`,
      [dataSourceId, after.document, after.hash, space, dimensions],
    )
    if (!page?.documents) return
    yield decodeQuantizedVectors(page.documents, page.sketches)
    if (page.documents.length < chunksPerPage) return
    after = lastOf(page.documents, page.hashes)
  }
}

function lastOf(documents: readonly number[], hashes: readonly Buffer[]): { document: number; hash: Buffer } {
  const document = documents.reduce((most, one) => Math.max(most, one), 0)
  const own = hashes.filter((_, nth) => documents[nth] === document)
  return { document, hash: own.reduce((most, one) => (Buffer.compare(one, most) > 0 ? one : most), Buffer.alloc(0)) }
}

/** The part of a document that is nearest to what was asked. */
export interface NearestChunk {
  /** Place of the document among those that were asked for, from 0. */
  place: number
  similarity: number
  /** Where it stands in the text, in characters. */
  start: number
  length: number
}

/** The nearest chunk of each document, by the vectors as they are. Documents without any are left out. */
export async function findNearestChunks(
  query: Query,
  keys: readonly DocumentKey[],
  space: string,
  vector: Float32Array,
): Promise<NearestChunk[]> {
  const rows = await query<Omit<NearestChunk, 'nearness'> & { vector: Buffer }>(
    `SELECT (place - 1)::integer AS place, start, length, vector
       FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS given (source, number, place)
      CROSS JOIN LATERAL (
        SELECT start, length, vector FROM record_chunks
         WHERE data_source_id = source AND document = number AND space = $3 AND octet_length(vector) = $4
      ) AS chunk ORDER BY place, start`,
    [
      keys.map(({ dataSourceId }) => dataSourceId),
      keys.map(({ document }) => document),
      space,
      vector.length * Float32Array.BYTES_PER_ELEMENT,
    ],
  )
  const nearest = new Map<number, NearestChunk>()
  for (const { vector: stored, ...chunk } of rows) {
    const nearness = dotProduct(decodeVector(stored), vector)
    const best = nearest.get(chunk.place)
    if (best === undefined || nearness > best.similarity) nearest.set(chunk.place, { ...chunk, similarity: nearness })
  }
  return [...nearest.values()]
}
