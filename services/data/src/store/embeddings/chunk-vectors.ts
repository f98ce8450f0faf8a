import type { Query, Row } from '@wp/database'
import type { EmbeddingProgress } from '#db'
import type { DocumentKey, TextSpan } from '../search/documents.ts'
import { decodeQuantizedVectors, type QuantizedVectors } from './quantized-vector.ts'

/** The embedding progress of a source. */
export interface EmbeddedSource extends Row<EmbeddingProgress, 'dataSourceId' | 'version'> {
  documents: number
  /** Documents whose text changed since they were embedded. */
  changedDocuments: number[]
  /** Upper bound of documents to be embedded; deleted ones may be counted. */
  pendingDocuments: number
}

/** Lists the embedded sources of a workspace with their progress in one space. */
export async function listEmbeddedSources(query: Query, workspaceId: string, space: string): Promise<EmbeddedSource[]> {
  const rows = await query<Omit<EmbeddedSource, 'pendingDocuments'> & { newDocuments: number }>(
    `SELECT data_source_id, coalesce(progress.version, 0) AS version, index.documents,
            index.next_document - coalesce(progress.next_document, 0) AS new_documents,
            ARRAY (SELECT document FROM embedding_changes AS change
                    WHERE change.data_source_id = source.data_source_id) AS changed_documents
       FROM data_sources AS source JOIN search_indexes AS index USING (workspace_id, data_source_id)
       LEFT JOIN (SELECT data_source_id, version, next_document FROM embedding_progress
                   WHERE workspace_id = $1 AND space = $2) AS progress USING (data_source_id)
      WHERE workspace_id = $1 AND source.embed`,
    [workspaceId, space],
  )
  return rows.map(({ newDocuments, ...source }) => ({
    ...source,
    pendingDocuments: Math.min(source.documents, newDocuments + source.changedDocuments.length),
  }))
}

/** With vectors of the maximum size a page takes 8 MB. */
const chunksPerPage = 2_000

/** Reads the quantized vectors of a source page by page, ordered by document. Vectors of another size are left out. */
export async function* readQuantizedVectors(
  query: Query,
  dataSourceId: string,
  space: string,
  dimensions: number,
): AsyncGenerator<QuantizedVectors> {
  let after: ChunkKey = { document: -1, hash: Buffer.alloc(0) }
  for (;;) {
    // Aggregates run in the order of the rows, which is not guaranteed to be sorted; sorting again would cost more.
    const [page] = await query<{ documents: number[] | null; hashes: Buffer[]; vectors: Buffer }>(
      `SELECT array_agg(document) AS documents, array_agg(hash) AS hashes, string_agg(quantized_vector, ''::bytea) AS vectors
         FROM (SELECT document, hash, quantized_vector FROM record_chunks
                WHERE data_source_id = $1 AND (document, hash) > ($2, $3) AND space = $4
                  AND octet_length(quantized_vector) = $5 + 4
                ORDER BY document, hash LIMIT ${chunksPerPage}) AS next`,
      [dataSourceId, after.document, after.hash, space, dimensions],
    )
    if (!page?.documents) return
    yield decodeQuantizedVectors(page.documents, page.vectors)
    if (page.documents.length < chunksPerPage) return
    after = highestKey(page.documents, page.hashes)
  }
}

interface ChunkKey {
  document: number
  hash: Buffer
}

function highestKey(documents: readonly number[], hashes: readonly Buffer[]): ChunkKey {
  const document = documents.reduce((highest, other) => Math.max(highest, other), 0)
  const own = hashes.filter((_, nth) => documents[nth] === document)
  const hash = own.reduce((highest, other) => (Buffer.compare(other, highest) > 0 ? other : highest), Buffer.alloc(0))
  return { document, hash }
}

/** A chunk of a document and its full-precision vector. */
export interface ChunkVector extends TextSpan {
  /** Index of the document in `keys`. */
  position: number
  vector: Float32Array
}

/** Reads the full-precision vectors of all chunks of documents, in text order. Vectors of another size are left out. */
export async function readChunkVectors(
  query: Query,
  keys: readonly DocumentKey[],
  space: string,
  dimensions: number,
): Promise<ChunkVector[]> {
  const rows = await query<TextSpan & { position: number; vector: Buffer }>(
    `SELECT (nth - 1)::integer AS position, start, length, vector
       FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS given (source, number, nth)
      CROSS JOIN LATERAL (
        SELECT start, length, vector FROM record_chunks
         WHERE data_source_id = source AND document = number AND space = $3 AND octet_length(vector) = $4
      ) AS chunk ORDER BY nth, start`,
    [
      keys.map(({ dataSourceId }) => dataSourceId),
      keys.map(({ document }) => document),
      space,
      dimensions * Float32Array.BYTES_PER_ELEMENT,
    ],
  )
  return rows.map(({ vector, ...chunk }) => ({ ...chunk, vector: decodeVector(vector) }))
}

/** Encodes a vector for its column: 4 bytes a dimension, little-endian. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes
}

export function decodeVector(bytes: Buffer): Float32Array {
  const vector = new Float32Array(bytes.length / 4)
  for (let index = 0; index < vector.length; index++) vector[index] = bytes.readFloatLE(index * 4)
  return vector
}
