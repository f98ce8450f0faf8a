import { type data, type Operation, problem } from '@wp/contracts'
import { newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Context } from '../context.ts'
import { createDocumentMapper } from '../ingest/document-mapper.ts'
import { ingestRows } from '../ingest/ingest.ts'
import { assertNotPaused, createBatchStore } from '../ingest/store-batch.ts'
import { isDocumentType, parseUpload } from '../parsers/parse-upload.ts'
import { detectSchemaChanges } from '../schema/drift.ts'
import { findSource, lockSource, recordSyncSuccess } from '../store/sources/sources.ts'
import { queue, type SyncInput } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

/** Stores what is sent while it is sent; a large upload, or one that asked for it, is concluded by a sync. */
export const uploadRecords: Operation<typeof data.uploadRecords, Context> = async (
  { config, database },
  caller,
  { params: { data_source_id: id }, query: known, body },
) => {
  const { workspaceId } = caller
  const source = await database.read({ workspaceId }, (db) => findSource(db, workspaceId, id))
  if (source.provider !== 'upload')
    throw problem('conflict', { detail: `Records of this data source are read from ${source.provider}, not sent` })
  assertNotPaused(source)
  refuseForRows(body.contentType, known)
  // A key that is asked for has to stand somewhere.
  const roles = known.key === undefined ? source.config : { ...source.config, key: source.config.key || 'key' }
  const measured = measure(body.chunks)
  const nextCaller = requestOnce(caller)
  const store = createBatchStore(database, nextCaller, id)
  const { counts, badRows, typeMismatches } = await ingestRows(
    parseUpload({ ...body, chunks: measured.chunks }, createDocumentMapper(roles, known)),
    roles,
    store,
  )
  const isLarge = Math.max(body.contentLength ?? 0, measured.bytes()) > config.UPLOAD_ASYNC_BYTES
  return database.transact(nextCaller(), async (tx) => {
    const locked = await lockSource(tx.query, workspaceId, id)
    const changes = detectSchemaChanges(source.fields, locked.fields, source.config, typeMismatches)
    if (body.respondAsync || isLarge) {
      const input: SyncInput = { trigger: 'upload', counts, bad_rows: badRows, schema_changes: changes }
      const job = await enqueue(tx, { id: newId('sync'), queue, subject: id, input })
      return { outcome: 'accepted' as const, data: syncView(job) }
    }
    await recordSyncSuccess(tx.query, locked, null)
    const data = {
      data_source_id: id,
      counts,
      bad_rows: badRows,
      ...(changes.length > 0 ? { schema_changes: changes } : {}),
      record_count: locked.recordCount,
    }
    return { outcome: 'ok' as const, data }
  })
}

/** What is said of a document is nothing that could be said of each of many rows. */
function refuseForRows(contentType: string, known: object): void {
  const [name] = Object.entries(known).flatMap(([each, value]) => (value === undefined ? [] : [each]))
  if (name === undefined || isDocumentType(contentType)) return
  const detail = 'is for a document of text, Markdown or HTML'
  throw problem('validation_failed', { detail: `?${name}: ${detail}`, errors: [{ pointer: `?${name}`, detail }] })
}

/** The first transaction of an upload tells the audit log, so that no record is there of which it does not know. */
function requestOnce<C extends { request?: unknown }>(caller: C): () => C | Omit<C, 'request'> {
  let isFirst = true
  return () => {
    const { request: _request, ...rest } = caller
    const next = isFirst ? caller : rest
    isFirst = false
    return next
  }
}

function measure(chunks: AsyncIterable<Uint8Array>) {
  let bytes = 0
  async function* counted() {
    for await (const chunk of chunks) {
      bytes += chunk.length
      yield chunk
    }
  }
  return { chunks: counted(), bytes: () => bytes }
}
