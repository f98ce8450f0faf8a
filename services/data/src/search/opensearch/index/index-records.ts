import type { Database } from '@wp/database'
import { type RecordToIndex, readRecordsToIndex } from '../../../store/search-feed/records-to-index.ts'
import type { OpenSearchClient } from '../client/opensearch-client.ts'
import type { VectorFields } from './manage-index.ts'
import { toSearchDocument } from './search-document.ts'
import { type DocumentWrite, type WriteResult, writeDocuments } from './write-documents.ts'

export interface IndexAccess {
  pool: Database['worker']
  client: OpenSearchClient
  vectorFields: VectorFields
}

/** A record whose document is to be written with a version. */
export interface VersionedRecord {
  recordId: string
  workspaceId: string
  version: string
}

/**
 * Writes the present state of records to indexes, and deletes the documents of those that are not stored any more.
 * Reads and writes them in pages of limited size.
 * @returns one result for each page and index
 */
export async function* indexRecords(
  { pool, client, vectorFields }: IndexAccess,
  indexNames: readonly string[],
  wanted: readonly VersionedRecord[],
  signal?: AbortSignal,
): AsyncGenerator<WriteResult[]> {
  for (let rest = wanted; rest.length > 0; ) {
    const { records, read } = await readRecordsToIndex(
      pool,
      rest.map(({ recordId }) => recordId),
    )
    const writes = toWrites(rest.slice(0, Math.max(1, read)), records)
    const dimensions = records.flatMap(({ chunks }) => chunks.map(({ vector }) => dimensionsOf(vector)))
    const results: WriteResult[] = []
    for (const indexName of indexNames) {
      await vectorFields.ensure(indexName, dimensions)
      results.push(await writeDocuments(client, indexName, writes, signal))
    }
    yield results
    rest = rest.slice(writes.length)
  }
}

function toWrites(wanted: readonly VersionedRecord[], records: readonly RecordToIndex[]): DocumentWrite[] {
  const found = new Map(records.map((record) => [record.recordId, record]))
  return wanted.map(({ recordId, workspaceId, version }) => {
    const record = found.get(recordId)
    return { recordId, workspaceId, version, document: record && toSearchDocument(record) }
  })
}

/** Vectors have four bytes a dimension. */
const dimensionsOf = (base64: string): number => Buffer.byteLength(base64, 'base64') / Float32Array.BYTES_PER_ELEMENT
