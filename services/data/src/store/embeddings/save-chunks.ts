import { type Database, inWorkerTransaction, type WorkerClient } from '@wp/database'
import type { EmbeddingLease } from './embedding-leases.ts'
import type { EmbeddingBatch } from './pending-documents.ts'
import type { StoredVectors } from './stored-chunks.ts'

type WorkerPool = Database['worker']

/** A row of `record_chunks`; `vectors` is undefined if the chunk is stored already. */
export interface ChunkRow {
  document: number
  hash: Buffer
  start: number
  length: number
  vectors: StoredVectors | undefined
}

/**
 * Replaces the chunks of the documents of a batch and advances the progress of the source.
 * @returns false, with nothing saved, if the lease was lost
 */
export async function saveChunks(
  pool: WorkerPool,
  lease: EmbeddingLease,
  { records, nextDocument }: EmbeddingBatch,
  chunks: readonly ChunkRow[],
): Promise<boolean> {
  const documents = records.map(({ document }) => document)
  return inWorkerTransaction(pool, async (client) => {
    if (!(await lockLease(client, lease))) return false
    const present = await lockRecords(client, lease, documents)
    const rows = chunks.filter(({ document }) => present.has(document))
    await deleteOtherChunks(client, lease, documents, rows)
    await insertNewChunks(client, lease, rows)
    await updateSpans(client, lease, rows)
    await deleteChanges(client, lease, records)
    const missed = [...new Set(chunks.map(({ document }) => document))].filter((document) => !present.has(document))
    await insertChanges(client, lease, missed)
    await advanceProgress(client, lease, nextDocument)
    return true
  })
}

async function lockLease(client: WorkerClient, { dataSourceId, token }: EmbeddingLease): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM embedding_progress WHERE data_source_id = $1 AND lease_token = $2 FOR NO KEY UPDATE',
    [dataSourceId, token],
  )
  return rowCount !== 0
}

/**
 * Locks the records of documents against deletion. Skips records that another transaction is deleting: their chunks
 * must not outlive them. If that transaction rolls back, the documents are embedded again (insertChanges).
 */
async function lockRecords(
  client: WorkerClient,
  { dataSourceId }: EmbeddingLease,
  documents: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await client.query<{ document: number }>(
    // One by one, and with a hidden source, as in upsert-records.ts.
    `WITH given AS MATERIALIZED (SELECT $1::text AS source, unnest($2::integer[]) AS number)
     SELECT document FROM given
      CROSS JOIN LATERAL (
        SELECT document FROM data_records WHERE data_source_id = source AND document = number
         LIMIT 1 FOR KEY SHARE SKIP LOCKED
      ) AS found`,
    [dataSourceId, documents],
  )
  return new Set(rows.map(({ document }) => document))
}

const chunkKeys = (rows: readonly ChunkRow[]) => [rows.map(({ document }) => document), rows.map(({ hash }) => hash)]

async function deleteOtherChunks(
  client: WorkerClient,
  { dataSourceId }: EmbeddingLease,
  documents: readonly number[],
  rows: readonly ChunkRow[],
): Promise<void> {
  await client.query(
    `DELETE FROM record_chunks AS chunk
      WHERE data_source_id = $1 AND document = ANY ($2::integer[])
        AND NOT EXISTS (SELECT FROM unnest($3::integer[], $4::bytea[]) AS kept (document, hash)
                         WHERE (kept.document, kept.hash) = (chunk.document, chunk.hash))`,
    [dataSourceId, documents, ...chunkKeys(rows)],
  )
}

async function insertNewChunks(
  client: WorkerClient,
  { dataSourceId, workspaceId, space }: EmbeddingLease,
  rows: readonly ChunkRow[],
): Promise<void> {
  await client.query(
    `INSERT INTO record_chunks AS chunk
            (data_source_id, document, hash, workspace_id, space, start, length, quantized_vector, vector)
     SELECT $1, document, hash, $2, $3, start, length, quantized_vector, vector
       FROM unnest($4::integer[], $5::bytea[], $6::integer[], $7::integer[], $8::bytea[], $9::bytea[])
              AS kept (document, hash, start, length, quantized_vector, vector) WHERE vector IS NOT NULL
     ON CONFLICT (data_source_id, document, hash) DO NOTHING`,
    [
      dataSourceId,
      workspaceId,
      space,
      ...chunkKeys(rows),
      rows.map(({ start }) => start),
      rows.map(({ length }) => length),
      rows.map(({ vectors }) => vectors?.quantizedVector ?? null),
      rows.map(({ vectors }) => vectors?.vector ?? null),
    ],
  )
}

/** Updates positions of chunks whose text only moved within the record. */
async function updateSpans(
  client: WorkerClient,
  { dataSourceId }: EmbeddingLease,
  rows: readonly ChunkRow[],
): Promise<void> {
  await client.query(
    `UPDATE record_chunks AS chunk SET start = kept.start, length = kept.length
       FROM unnest($2::integer[], $3::bytea[], $4::integer[], $5::integer[]) AS kept (document, hash, start, length)
      WHERE chunk.data_source_id = $1 AND (chunk.document, chunk.hash) = (kept.document, kept.hash)
        AND (chunk.start, chunk.length) <> (kept.start, kept.length)`,
    [dataSourceId, ...chunkKeys(rows), rows.map(({ start }) => start), rows.map(({ length }) => length)],
  )
}

/** Deletes changes that the batch covers; a document that changed again keeps its row. */
async function deleteChanges(
  client: WorkerClient,
  { dataSourceId }: EmbeddingLease,
  records: EmbeddingBatch['records'],
): Promise<void> {
  await client.query(
    `DELETE FROM embedding_changes AS change USING unnest($2::integer[], $3::integer[]) AS done (document, times)
      WHERE change.data_source_id = $1 AND (change.document, change.change_count) = (done.document, done.times)`,
    [dataSourceId, records.map(({ document }) => document), records.map(({ changeCount }) => changeCount ?? null)],
  )
}

async function insertChanges(
  client: WorkerClient,
  { dataSourceId, workspaceId }: EmbeddingLease,
  documents: readonly number[],
): Promise<void> {
  await client.query(
    `INSERT INTO embedding_changes (data_source_id, document, workspace_id)
     SELECT $1, document, $2 FROM unnest($3::integer[]) AS missed (document) ON CONFLICT DO NOTHING`,
    [dataSourceId, workspaceId, documents],
  )
}

async function advanceProgress(
  client: WorkerClient,
  { dataSourceId }: EmbeddingLease,
  nextDocument: number,
): Promise<void> {
  await client.query(
    'UPDATE embedding_progress SET next_document = $2, version = version + 1 WHERE data_source_id = $1',
    [dataSourceId, nextDocument],
  )
}
