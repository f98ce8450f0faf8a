import { type data, type Operation, problem } from '@wp/contracts'
import { fitsQuota, newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Context } from '../context.ts'
import { createDocumentMapper } from '../ingest/document-mapper.ts'
import { ingestRows } from '../ingest/ingest.ts'
import { assertNotPaused, createBatchStore } from '../ingest/store-batch.ts'
import { meterUpload } from '../ingest/upload-meter.ts'
import { isDocumentType, parseUpload } from '../parsers/parse-upload.ts'
import { detectSchemaChanges } from '../schema/schema-changes.ts'
import { lockSource } from '../store/sources/locked-source.ts'
import { findSource } from '../store/sources/sources.ts'
import { recordSyncSuccess } from '../store/sources/sync-results.ts'
import { queue, type SyncInput, syncQuota } from '../sync/sync-job.ts'
import { syncView } from '../views.ts'

/** Stores rows while they arrive. A large upload, or one that asks for `respond-async`, is answered with a sync. */
export const uploadRecords: Operation<typeof data.uploadRecords, Context> = async (
  context,
  caller,
  { params: { data_source_id: id }, query: documentFields, body },
) => {
  const { config, database } = context
  const { workspaceId } = caller
  const source = await database.read({ workspaceId }, (db) => findSource(db, workspaceId, id))
  if (source.provider !== 'upload')
    throw problem('conflict', {
      detail: `Records of this data source are read from ${source.provider}; they cannot be uploaded`,
    })
  assertNotPaused(source)
  assertDocument(body.contentType, documentFields)
  // A key in the query needs a key field to be stored in.
  const hasKey = documentFields.key !== undefined
  const mapping = hasKey ? { ...source.config, key: source.config.key || 'key' } : source.config
  const upload = await meterUpload(context, caller, body)
  const nextCaller = withRequestOnce(caller)
  const store = createBatchStore(database, nextCaller, id)
  const { counts, badRows, typeMismatches } = await ingestRows(
    parseUpload({ ...body, chunks: upload.chunks }, createDocumentMapper(mapping, documentFields)),
    mapping,
    store,
  ).finally(upload.release)
  const isLarge = upload.bytes() > config.UPLOAD_ASYNC_BYTES
  return database.transact(nextCaller(), async (tx) => {
    const locked = await lockSource(tx.query, workspaceId, id)
    const changes = detectSchemaChanges(source.fields, locked.fields, source.config, typeMismatches)
    // The rows are stored already, so a full queue is no reason to fail: the upload is answered with its result.
    if ((body.respondAsync || isLarge) && (await fitsQuota(tx.query, workspaceId, syncQuota))) {
      const input: SyncInput = { trigger: 'upload', counts, bad_rows: badRows, schema_changes: changes }
      const job = await enqueue(tx, { id: newId('sync'), queue, subject: id, input })
      return { status: 'accepted' as const, data: syncView(job) }
    }
    await recordSyncSuccess(tx.query, locked, null)
    const data = {
      data_source_id: id,
      counts,
      bad_rows: badRows,
      ...(changes.length > 0 ? { schema_changes: changes } : {}),
      record_count: locked.recordCount,
    }
    return { status: 'ok' as const, data }
  })
}

/** @throws Problem `validation_failed` if the query describes a document but the body contains rows */
function assertDocument(contentType: string, documentFields: object): void {
  const [name] = Object.entries(documentFields).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  if (name === undefined || isDocumentType(contentType)) return
  const detail = 'is only for documents of text, Markdown or HTML'
  throw problem('validation_failed', { detail: `?${name}: ${detail}`, errors: [{ pointer: `?${name}`, detail }] })
}

/** Returns the caller with its request once: the first transaction of an upload writes the audit record. */
function withRequestOnce<C extends { request?: unknown }>(caller: C): () => C | Omit<C, 'request'> {
  let isFirst = true
  return () => {
    const { request: _request, ...rest } = caller
    const next = isFirst ? caller : rest
    isFirst = false
    return next
  }
}
