import type { Database } from '@wp/database'
import type { EmbeddingLease } from './embedding-leases.ts'

type WorkerPool = Database['worker']

/** The embedding of a chunk, as stored. */
export interface StoredVectors {
  quantizedVector: Buffer
  vector: Buffer
}

/** The stored fields of some chunks. */
export interface StoredChunks {
  /** The chunks of the documents, as `<document> <hash in hex>`. */
  keys: ReadonlySet<string>
  /** Embeddings of equal texts in any record of the workspace, by hash in hex; without those in `keys`. */
  vectors: ReadonlyMap<string, StoredVectors>
}

interface ChunkKey {
  document: number
  hash: Buffer
}

export const chunkKey = ({ document, hash }: ChunkKey): string => `${document} ${hash.toString('hex')}`

/** Reads which chunks are stored, and of the others the embeddings that the workspace has in the same space. */
export async function readStoredChunks(
  pool: WorkerPool,
  { dataSourceId, workspaceId, space }: Pick<EmbeddingLease, 'dataSourceId' | 'workspaceId' | 'space'>,
  chunks: readonly ChunkKey[],
): Promise<StoredChunks> {
  const { rows: own } = await pool.query<ChunkKey>(
    'SELECT document, hash FROM record_chunks WHERE data_source_id = $1 AND document = ANY ($2::integer[])',
    [dataSourceId, [...new Set(chunks.map(({ document }) => document))]],
  )
  const keys = new Set(own.map(chunkKey))
  const missing = chunks.filter((chunk) => !keys.has(chunkKey(chunk))).map(({ hash }) => hash)
  const { rows: equal } = await pool.query<StoredVectors & { hash: Buffer }>(
    `SELECT DISTINCT ON (hash) hash, quantized_vector, vector FROM record_chunks
      WHERE workspace_id = $1 AND hash = ANY ($2::bytea[]) AND space = $3`,
    [workspaceId, missing, space],
  )
  return { keys, vectors: new Map(equal.map(({ hash, ...vectors }) => [hash.toString('hex'), vectors])) }
}
