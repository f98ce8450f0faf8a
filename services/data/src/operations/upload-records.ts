import { createHash, type Hash, type Hmac } from 'node:crypto'
import { problem } from '@wp/contracts'
import { fitsQuota, hasStoredResponse, newId } from '@wp/database'
import { enqueue } from '@wp/jobs'
import type { Operation } from '../context.ts'
import { refusedRowsAfter } from '../ingest/refused-rows.ts'
import { assertNotPaused, assertSameProtection } from '../ingest/store-batch.ts'
import { documentTypeForMediaType } from '../parsers/format.ts'
import { loadProtection } from '../privacy/load-protection.ts'
import { detectSchemaChanges } from '../schema/schema-changes.ts'
import { lockSource, saveRefusedRows } from '../store/sources/locked-source.ts'
import { findSourceIfExists } from '../store/sources/sources.ts'
import { recordSyncSuccess } from '../store/sources/sync-results.ts'
import { queue, type SyncInput, syncQuota } from '../sync/sync-job.ts'
import { storeUpload } from '../upload/store-upload.ts'
import { createUploadCallers } from '../upload/upload-callers.ts'
import { syncView } from '../views.ts'

/**
 * Stores rows while they arrive. A large upload, or one that asks for `respond-async`, is answered with a sync. A
 * repeated one stores nothing: its body is only read for its digest, which tells whether it is the same.
 */
export const uploadRecords: Operation<'uploadRecords'> = async (
  context,
  caller,
  { params: { data_source_id: id }, query: { mode, allow_deletions: allowsDeletions, ...documentFields }, body },
) => {
  const { config, database } = context
  const { workspaceId } = caller
  const callers = createUploadCallers(caller)
  const source = await database.read({ workspaceId }, (db) => findSourceIfExists(db, workspaceId, id))
  const protection = source && (await loadProtection(context, workspaceId, source))
  const hasKey = caller.request?.idempotency !== undefined
  if (hasKey && (await database.read({ workspaceId }, (_db, query) => hasStoredResponse(query, caller)))) {
    const digest = await readDigest(body.chunks, protection?.createFileHash())
    return database.transact(callers.last(digest), () => {
      throw problem('service_unavailable', { detail: 'The stored response has just expired; send the upload again' })
    })
  }
  if (source === undefined) throw problem('not_found')
  if (source.provider !== 'upload')
    throw problem('conflict', {
      detail: `Records of this data source are read from ${source.provider}; they cannot be uploaded`,
    })
  assertNotPaused(source)
  assertDocument(body.contentType, documentFields)
  const { chunks, digest } = hashBody(body.chunks, protection?.createFileHash())
  const upload = { ...body, chunks, documentFields, protection, mode, allowsDeletions }
  const { counts, badRows, typeMismatches, warnings, bytes, footers } = await storeUpload(
    context,
    caller,
    callers,
    source,
    upload,
  )
  const isLarge = bytes > config.UPLOAD_ASYNC_BYTES
  return database.transact(callers.last(digest()), async (tx) => {
    const locked = await lockSource(tx.query, workspaceId, id)
    assertSameProtection(source.config, locked.config)
    const changes = detectSchemaChanges(source.fields, locked.fields, source.config, typeMismatches)
    const isWhole = mode === 'full'
    const replaced = mode === 'period' ? counts.deleted : 0
    await saveRefusedRows(tx.query, locked, refusedRowsAfter(locked, { counts, footers, isWhole, replaced }))
    // The rows are stored already, so a full queue is no reason to fail: the upload is answered with its result.
    if ((body.respondAsync || isLarge) && (await fitsQuota(tx.query, workspaceId, syncQuota))) {
      const input: SyncInput = { trigger: 'upload', counts, bad_rows: badRows, schema_changes: changes, warnings }
      const job = await enqueue(tx, { id: newId('sync'), queue, subject: id, input })
      return { status: 'accepted' as const, data: syncView(job) }
    }
    await recordSyncSuccess(tx.query, locked, null)
    const result = {
      data_source_id: id,
      counts,
      bad_rows: badRows,
      ...(changes.length > 0 ? { schema_changes: changes } : {}),
      record_count: locked.recordCount,
      ...(warnings.length > 0 ? { warnings } : {}),
    }
    return { status: 'ok' as const, data: result }
  })
}

/** @throws Problem `validation_failed` if the query describes a document but the body contains rows */
function assertDocument(contentType: string, documentFields: object): void {
  const [name] = Object.entries(documentFields).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  if (name === undefined || documentTypeForMediaType(contentType) !== undefined) return
  const detail = 'is only for documents of text, Markdown or HTML'
  throw problem('validation_failed', { detail: `?${name}: ${detail}`, errors: [{ pointer: `?${name}`, detail }] })
}

/** Returns a body that is hashed while it is read, and its hexadecimal digest: call that once, at the end. */
function hashBody(chunks: AsyncIterable<Uint8Array>, hash: Hash | Hmac = createHash('sha256')) {
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { chunks: hashed(), digest: () => hash.digest('hex') }
}

/** Reads a body to its end. Returns its digest, hexadecimal. */
async function readDigest(
  chunks: AsyncIterable<Uint8Array>,
  hash: Hash | Hmac = createHash('sha256'),
): Promise<string> {
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
