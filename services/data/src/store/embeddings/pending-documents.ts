import type { Database, Row } from '@wp/database'
import type { DataRecord } from '#db'
import type { EmbeddingLease } from './embedding-leases.ts'

type WorkerPool = Database['worker']

/** A document to embed. Title and text are null if the record was deleted or no longer has words. */
export interface PendingDocument extends Row<DataRecord, 'title' | 'text'> {
  document: number
  /** Number of changes since the document was embedded; undefined for a new document. */
  changeCount: number | undefined
}

export interface EmbeddingBatch {
  records: PendingDocument[]
  /** Once the batch is saved, all documents below this number are embedded. */
  nextDocument: number
}

const maxBatchRecords = 128

/**
 * Reads up to 128 documents of a source to embed: changed ones first, then new ones in order.
 * @param maxTextLength cuts off titles and texts, in characters
 */
export async function readPendingBatch(
  pool: WorkerPool,
  { dataSourceId, nextDocument }: Pick<EmbeddingLease, 'dataSourceId' | 'nextDocument'>,
  maxTextLength: number,
): Promise<EmbeddingBatch> {
  const { rows: changed } = await pool.query<PendingDocument>(
    // The limit comes first: joined before it, the records of all changes are read for each batch.
    `SELECT document, change_count, title, text
       FROM (SELECT data_source_id, document, change_count FROM embedding_changes
              WHERE data_source_id = $1 ORDER BY document LIMIT ${maxBatchRecords}) AS change
       LEFT JOIN LATERAL (
         SELECT title, left(text, $2::integer) AS text FROM data_records
          WHERE data_source_id = change.data_source_id AND document = change.document AND words IS NOT NULL LIMIT 1
       ) AS record ON true
      ORDER BY document`,
    [dataSourceId, maxTextLength],
  )
  return changed.length > 0
    ? { records: changed, nextDocument }
    : readNewDocuments(pool, dataSourceId, nextDocument, maxTextLength)
}

async function readNewDocuments(
  pool: WorkerPool,
  dataSourceId: string,
  from: number,
  maxTextLength: number,
): Promise<EmbeddingBatch> {
  const { rows } = await pool.query<PendingDocument & { end: number; isEmpty: boolean }>(
    `SELECT document, left(title, $3::integer) AS title, left(text, $3::integer) AS text, words IS NULL AS is_empty,
            (SELECT next_document FROM search_indexes WHERE data_source_id = $1) AS end
       FROM data_records WHERE data_source_id = $1 AND document >= $2 ORDER BY document LIMIT ${maxBatchRecords}`,
    [dataSourceId, from, maxTextLength],
  )
  const records = rows.map(({ document, title, text, isEmpty }) => ({
    document,
    title: isEmpty ? null : title,
    text: isEmpty ? null : text,
    changeCount: undefined,
  }))
  const last = rows.at(-1)
  if (last === undefined) return { records, nextDocument: await endOfIndex(pool, dataSourceId, from) }
  return { records, nextDocument: rows.length < maxBatchRecords ? last.end : last.document + 1 }
}

/** Returns the next document number of the index; `from` itself if records were added in the meantime. */
async function endOfIndex(pool: WorkerPool, dataSourceId: string, from: number): Promise<number> {
  const { rows } = await pool.query<{ end: number | null }>(
    `SELECT next_document AS end FROM search_indexes
      WHERE data_source_id = $1
        AND NOT EXISTS (SELECT FROM data_records WHERE data_source_id = $1 AND document >= $2)`,
    [dataSourceId, from],
  )
  return rows[0]?.end ?? from
}
