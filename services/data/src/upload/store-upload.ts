import { type BodyStream, problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { createDocumentMapper } from '../ingest/document-mapper.ts'
import { type IngestResult, ingestRows } from '../ingest/ingest.ts'
import { createBatchStore } from '../ingest/store-batch.ts'
import { meterUpload } from '../ingest/upload-meter.ts'
import { parseUpload } from '../parsers/parse-upload.ts'
import type { Source } from '../store/sources/sources.ts'
import type { ExistingKeys } from '../sync/batching/existing-keys.ts'
import { readExistingKeys } from '../sync/delete-missing.ts'
import { deleteMissingRecords } from './delete-missing-records.ts'
import type { UploadCallers } from './upload-callers.ts'

interface Upload extends BodyStream {
  documentFields: { key?: string | undefined; title?: string | undefined; url?: string | undefined }
  /** True if records that the body does not contain are to be deleted. */
  isFull: boolean
}

interface StoredUpload extends IngestResult {
  bytes: number
  warnings: { code: string; message: string }[]
}

/**
 * Stores the rows of an upload in batches. A full upload then deletes the records it does not contain, but only if its
 * body was read to the end and the key of every row is known.
 *
 * @throws the error of reading or storing; the batches before it remain stored, and nothing is deleted
 */
export async function storeUpload(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  { next }: UploadCallers,
  { dataSourceId, config }: Source,
  { documentFields, isFull, ...body }: Upload,
): Promise<StoredUpload> {
  const { database } = context
  const source = { workspaceId: caller.workspaceId, dataSourceId }
  // A key in the query needs a key field to be stored in.
  const mapping = documentFields.key === undefined ? config : { ...config, key: config.key || 'key' }
  const existingKeys = isFull ? await readExistingKeys(database, source) : undefined
  const metered = await meterUpload(context, caller, body)
  const ingested = await ingestRows(
    parseUpload({ ...body, chunks: metered.chunks }, createDocumentMapper(mapping, documentFields)),
    mapping,
    createBatchStore(database, next, dataSourceId),
    existingKeys?.markSeen,
  ).finally(metered.release)
  const stored: StoredUpload = { ...ingested, bytes: metered.bytes(), warnings: [] }
  if (existingKeys === undefined) return stored
  if (stored.bytes === 0) throw problem('malformed_body', { detail: 'The body is empty; a full upload needs rows' })
  if (ingested.withoutKey > 0) return { ...stored, warnings: keptRecords(existingKeys, ingested.withoutKey) }
  const deleted = await deleteMissingRecords(database, next, source, existingKeys)
  return { ...stored, counts: { ...ingested.counts, deleted } }
}

const keptRecords = (existingKeys: ExistingKeys, withoutKey: number): StoredUpload['warnings'] => [
  {
    code: 'missing_records_kept',
    message: `${existingKeys.countUnseen()} records that the upload does not contain were kept: the keys of ${withoutKey} invalid rows are unknown. Correct the rows and send all rows again`,
  },
]
