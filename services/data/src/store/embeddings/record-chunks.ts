import type { Database } from '@wp/database'
import { maxTextLength } from '../../embeddings/chunks.ts'
import { inWorkerTransaction } from '../worker-transaction.ts'
import { type EmbeddingLease, leaseSeconds } from './embedding-leases.ts'

type WorkerPool = Database['worker']

/** A record to be embedded; one that is gone, or has no words any more, has neither title nor text. */
export interface PendingDocument {
  document: number
  title: string | null
  text: string | null
  /** How often it was changed since it was embedded; undefined: it is new. */
  changeCount: number | undefined
}

/** What is to be embedded next. */
export interface EmbeddingBatch {
  records: PendingDocument[]
  /** With these, all documents below are embedded. */
  nextDocument: number
}

const maxBatchRecords = 128

/** The next records of a source: first what changed, then what is new. */
export async function readPendingBatch(
  pool: WorkerPool,
  { dataSourceId, nextDocument }: EmbeddingLease,
): Promise<EmbeddingBatch> {
  const { rows: changed } = await pool.query<PendingDocument>(
    `SELECT document, times AS "changeCount", title, text FROM embedding_changes AS change
       LEFT JOIN LATERAL (
         SELECT title, left(text, ${maxTextLength}) AS text FROM data_records
          WHERE data_source_id = $1 AND document = change.document AND words IS NOT NULL LIMIT 1
       ) AS record ON true
      WHERE data_source_id = $1 ORDER BY document LIMIT ${maxBatchRecords}`,
    [dataSourceId],
  )
  if (changed.length > 0) return { records: changed, nextDocument }
  const { rows } = await pool.query<PendingDocument & { end: number; isEmpty: boolean }>(
    `SELECT document, left(title, ${maxTextLength}) AS title, left(text, ${maxTextLength}) AS text,
            words IS NULL AS "isEmpty",
            (SELECT next_document FROM search_indexes WHERE data_source_id = $1) AS end
       FROM data_records WHERE data_source_id = $1 AND document >= $2 ORDER BY document LIMIT ${maxBatchRecords}`,
    [dataSourceId, nextDocument],
  )
  const last = rows.at(-1)
  const isAll = rows.length < maxBatchRecords
  return {
    records: rows.map(({ document, title, text, isEmpty }) => ({
      document,
      title: isEmpty ? null : title,
      text: isEmpty ? null : text,
      changeCount: undefined,
    })),
    nextDocument:
      last === undefined ? await endOf(pool, dataSourceId, nextDocument) : isAll ? last.end : last.document + 1,
  }
}

/** Up to there is nothing, if nothing came meanwhile. */
async function endOf(pool: WorkerPool, dataSourceId: string, from: number): Promise<number> {
  const { rows } = await pool.query<{ end: number | null }>(
    `SELECT next_document AS end FROM search_indexes
      WHERE data_source_id = $1
        AND NOT EXISTS (SELECT FROM data_records WHERE data_source_id = $1 AND document >= $2)`,
    [dataSourceId, from],
  )
  return rows[0]?.end ?? from
}

/** The hashes of what is embedded of some documents. */
export async function readChunkHashes(
  pool: WorkerPool,
  { dataSourceId }: EmbeddingLease,
  documents: readonly number[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ document: number; hash: Buffer }>(
    'SELECT document, hash FROM record_chunks WHERE data_source_id = $1 AND document = ANY ($2::integer[])',
    [dataSourceId, documents],
  )
  return new Set(rows.map(({ document, hash }) => `${document} ${hash.toString('hex')}`))
}

/** A chunk as it is to be kept; without a vector it is there already. */
export interface ChunkRow {
  document: number
  hash: Buffer
  start: number
  length: number
  vectors: { quantized: Buffer; vector: Buffer } | undefined
}

/**
 * Keeps what was made of a batch: the chunks of its documents are these, and no others.
 * @returns false when somebody else has the source by now
 */
export async function saveChunks(
  pool: WorkerPool,
  turn: EmbeddingLease,
  { records, nextDocument }: EmbeddingBatch,
  chunks: readonly ChunkRow[],
): Promise<boolean> {
  const { dataSourceId, workspaceId, space, token } = turn
  const documents = records.map(({ document }) => document)
  return inWorkerTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'SELECT FROM embedding_progress WHERE data_source_id = $1 AND lease_token = $2 FOR NO KEY UPDATE',
      [dataSourceId, token],
    )
    if (rowCount === 0) return false
    // What is being deleted now is left out: nothing may be kept of it. Should it stay after all, it comes again.
    const { rows: there } = await client.query<{ document: number }>(
      `SELECT document FROM data_records WHERE data_source_id = $1 AND document = ANY ($2::integer[])
          FOR KEY SHARE SKIP LOCKED`,
      [dataSourceId, documents],
    )
    const isThere = new Set(there.map(({ document }) => document))
    const kept = chunks.filter(({ document }) => isThere.has(document))
    const columns = [kept.map(({ document }) => document), kept.map(({ hash }) => hash)]
    await client.query(
      `DELETE FROM record_chunks AS chunk
        WHERE data_source_id = $1 AND document = ANY ($2::integer[])
          AND NOT EXISTS (SELECT FROM unnest($3::integer[], $4::bytea[]) AS kept (document, hash)
                           WHERE (kept.document, kept.hash) = (chunk.document, chunk.hash))`,
      [dataSourceId, documents, ...columns],
    )
    await client.query(
      `INSERT INTO record_chunks AS chunk
              (data_source_id, document, hash, workspace_id, space, start, length, sketch, vector)
       SELECT $1, document, hash, $2, $3, start, length, sketch, vector
         FROM unnest($4::integer[], $5::bytea[], $6::integer[], $7::integer[], $8::bytea[], $9::bytea[])
                AS kept (document, hash, start, length, sketch, vector) WHERE vector IS NOT NULL
       ON CONFLICT (data_source_id, document, hash) DO NOTHING`,
      [
        dataSourceId,
        workspaceId,
        space,
        ...columns,
        kept.map(({ start }) => start),
        kept.map(({ length }) => length),
        kept.map(({ vectors }) => vectors?.quantized ?? null),
        kept.map(({ vectors }) => vectors?.vector ?? null),
      ],
    )
    await client.query(
      `UPDATE record_chunks AS chunk SET start = kept.start, length = kept.length
         FROM unnest($2::integer[], $3::bytea[], $4::integer[], $5::integer[]) AS kept (document, hash, start, length)
        WHERE chunk.data_source_id = $1 AND (chunk.document, chunk.hash) = (kept.document, kept.hash)
          AND (chunk.start, chunk.length) <> (kept.start, kept.length)`,
      [dataSourceId, ...columns, kept.map(({ start }) => start), kept.map(({ length }) => length)],
    )
    await client.query(
      `DELETE FROM embedding_changes AS change USING unnest($2::integer[], $3::integer[]) AS done (document, times)
        WHERE change.data_source_id = $1 AND (change.document, change.times) = (done.document, done.times)`,
      [dataSourceId, documents, records.map(({ changeCount: times }) => times ?? null)],
    )
    const missed = [...new Set(chunks.map(({ document }) => document))].filter((document) => !isThere.has(document))
    await client.query(
      `INSERT INTO embedding_changes (data_source_id, document, workspace_id)
       SELECT $1, document, $2 FROM unnest($3::integer[]) AS missed (document) ON CONFLICT DO NOTHING`,
      [dataSourceId, workspaceId, missed],
    )
    await client.query(
      `UPDATE embedding_progress
          SET next_document = $2, version = version + 1, lease_until = now() + ${leaseSeconds} * interval '1 second'
        WHERE data_source_id = $1`,
      [dataSourceId, nextDocument],
    )
    return true
  })
}
