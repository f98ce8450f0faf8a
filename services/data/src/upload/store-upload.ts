import { type BodyStream, problem, type RequestCaller, type SyncCounts, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { assertDeletionsAllowed, doubtOfWarnings, keptRecordsWarning } from '../ingest/check-deletions.ts'
import { assertKnownFields, lacksKey } from '../ingest/check-fields.ts'
import { type IngestResult, ingestRows, type StoreBatch } from '../ingest/ingest.ts'
import type { FieldMapping } from '../ingest/record-input.ts'
import { createBatchStore } from '../ingest/store-batch.ts'
import { meterUpload } from '../ingest/upload-meter.ts'
import type { RowProtection } from '../privacy/row-protection.ts'
import type { Source } from '../store/sources/sources.ts'
import { readExistingKeys } from '../sync/delete-missing.ts'
import { deleteMissingRecords } from './delete-missing-records.ts'
import { correctionWarnings } from './find-overlap.ts'
import { type DocumentFields, type OpenedUpload, openUpload } from './open-upload.ts'
import { notePeriod, periodField, timeFields } from './period.ts'
import { keepOthers, replacedWarning } from './replace-period.ts'
import type { UploadCallers } from './upload-callers.ts'

interface Upload extends BodyStream {
  documentFields: DocumentFields
  protection: RowProtection | undefined
  /** Of which records those that the body does not contain are to be deleted; none if incremental. */
  mode: 'full' | 'period' | 'incremental'
  /** True if the request allows to delete any number of records. */
  allowsDeletions: boolean
}

interface StoredUpload extends Omit<IngestResult, 'keylessRow' | 'withoutKey' | 'switches'> {
  bytes: number
  warnings: OpenedUpload['warnings']
}

/**
 * Stores the rows of an upload in batches. A full upload then deletes the records it does not contain, but only if its
 * body was read to the end, the key of every row is known, and the deletions are within the limits of the source.
 * Longer than most functions: its steps share what was read.
 *
 * @throws the error of reading or storing; the batches before it remain stored, and nothing is deleted
 */
export async function storeUpload(
  context: Context,
  caller: RequestCaller<WorkspaceCaller>,
  callers: UploadCallers,
  source: Source,
  { documentFields, protection, mode, allowsDeletions, ...body }: Upload,
): Promise<StoredUpload> {
  const { database } = context
  const { dataSourceId, config } = source
  const key = { workspaceId: caller.workspaceId, dataSourceId }
  // A key in the query needs a key field to be stored in.
  const mapping = documentFields.key === undefined ? config : { ...config, key: config.key || 'key' }
  const [isFull, isPeriod] = [mode === 'full', mode === 'period']
  const existingKeys = isFull || isPeriod ? await readExistingKeys(database, key) : undefined
  const metered = await meterUpload(context, caller, body)
  try {
    const { rows, format, isTable, warnings } = await openUpload(
      { ...body, chunks: metered.chunks },
      mapping,
      documentFields,
      protection,
      context.now,
    )
    const store = createBatchStore(database, callers.next, { dataSourceId, config, format })
    const isKeyless = !mapping.key && isTable && mode === 'incremental' && format !== undefined
    const known = format?.detected ?? {}
    const fields = isKeyless ? timeFields(known, config.pseudonymize) : []
    const period = notePeriod(rows, isPeriod ? [periodField(known, source)] : fields, isPeriod)
    const checksFields = isFull && !allowsDeletions && format !== undefined
    const isRestricted = isPeriod && source.recordAccess === 'aggregates'
    const assertDeletions = ({ seen, failed }: SyncCounts, noted: string | undefined, isStored: boolean) =>
      assertDeletionsAllowed(
        {
          missing: existingKeys?.countUnseen() ?? 0,
          records: existingKeys?.count() ?? 0,
          hasRows: seen > failed,
          doubt: noted ?? doubtOfWarnings(warnings),
          isRestricted,
          isStored,
        },
        {
          maxShare: config.max_deletion_share,
          // The month that a file corrects may be all that is stored.
          ...(isPeriod && { defaultShare: Number.POSITIVE_INFINITY }),
          isAllowed: allowsDeletions,
          howToAllow: 'send the request again with `?allow_deletions=true`',
        },
      )
    const ingested = await ingestRows(
      period.rows,
      mapping,
      checksFields ? checkingFields(store, source, mapping) : store,
      existingKeys?.markSeen,
      // Without a key, the rows would stand beside those that they replace.
      isFull && !mapping.key ? (counts) => assertDeletions(counts, undefined, false) : undefined,
    )
    const { withoutKey, keylessRow, switches: _switches, ...stored } = { ...ingested, bytes: metered.bytes(), warnings }
    if (keylessRow !== undefined && format !== undefined) throw lacksKey(mapping.key ?? '', keylessRow)
    const { counts } = stored
    if (counts.seen === 0 && isTable && !allowsDeletions)
      throw problem('malformed_body', { detail: 'The file has a header row, but no row with values below it' })
    if (isKeyless) warnings.push(...(await correctionWarnings(context, key, source, ingested, period.noted())))
    if (existingKeys === undefined) return stored
    if (stored.bytes === 0) throw problem('malformed_body', { detail: 'The body is empty; a full upload needs rows' })
    const noted = isPeriod ? period.noted() : undefined
    const doubt = isPeriod
      ? await keepOthers(database, key, existingKeys, { period: noted, counts, isRestricted })
      : undefined
    const missing = existingKeys.countUnseen()
    assertDeletions(counts, doubt, true)
    const kept = keptRecordsWarning(
      { missing, isAllowed: allowsDeletions, isRestricted },
      { withoutKey, keyField: mapping.key },
    )
    if (kept !== undefined) return { ...stored, warnings: [...warnings, kept] }
    const deleted = await deleteMissingRecords(database, callers.next, key, existingKeys)
    if (noted !== undefined && deleted > 0) warnings.push(replacedWarning(noted, source))
    return { ...stored, counts: { ...counts, deleted } }
  } finally {
    await metered.release()
  }
}

/** Refuses a file that has no field of the records of its source, before anything of it is stored. */
function checkingFields(store: StoreBatch, { fields, recordCount }: Source, mapping: FieldMapping): StoreBatch {
  let isChecked = recordCount === 0
  return (batch) => {
    if (!isChecked) assertKnownFields(mapping, fields, batch.observer.fields.keys())
    isChecked = true
    return store(batch)
  }
}
