import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id } from './id.ts'
import { JobError, jobFields, jobStates, listQuery, metadata, metadataFilter, text, timestamp } from './shape.ts'

const fieldName = text(200)

const UploadConfig = z
  .strictObject({
    key: fieldName.optional().meta({
      description: 'The field that identifies a row, for rows sent from then on. Without it, all that a row says does',
    }),
    title_field: fieldName.optional().meta({ description: 'What titles a record; without it, `title` or `name`' }),
    text_field: fieldName.optional().meta({ description: 'What search reads of a record' }),
    url_field: fieldName.optional().meta({ description: 'The web address of a record; without it, `url`' }),
  })
  .meta({ id: 'UploadConfig' })
export type UploadConfig = z.infer<typeof UploadConfig>

const Schedule = z.strictObject({ type: z.enum(['manual']) }).meta({ id: 'Schedule' })

/** What a field of a source holds. */
export const fieldTypes = ['string', 'number', 'boolean', 'timestamp', 'mixed', 'null'] as const
export type FieldType = (typeof fieldTypes)[number]

export const sourceProviders = ['upload'] as const

const Counts = z
  .object({
    seen: z.number().int(),
    created: z.number().int(),
    updated: z.number().int(),
    deleted: z.number().int(),
    failed: z.number().int(),
  })
  .meta({ id: 'SyncCounts', description: 'In rows. What was seen and is counted nowhere else was known already' })
export type SyncCounts = z.infer<typeof Counts>

/** A row that could not be taken, and why. */
const BadRow = z.object({ line: z.number().int(), reason: z.string() }).meta({
  id: 'BadRow',
  description: 'A row that could not be taken: the line it begins on, from 1, and why',
})
export type BadRow = z.infer<typeof BadRow>

const badRows = () => z.array(BadRow).meta({ description: 'The first 100' })

export const Source = z
  .object({
    data_source_id: id('src'),
    name: z.string(),
    provider: z.enum(sourceProviders),
    config: UploadConfig,
    integration_id: z.string().nullable(),
    sync_mode: z.enum(['full', 'incremental']),
    schedule: Schedule,
    status: z.enum(['active', 'paused', 'error']),
    schema: z.array(z.object({ name: z.string(), type: z.enum(fieldTypes) })).meta({
      description: 'Inferred from the records: the first 500 fields and what they hold, text read as what it says',
    }),
    record_count: z.number().int(),
    last_sync_id: z.string().nullable(),
    last_synced_at: timestamp().nullable().meta({ description: 'When a sync or an upload last finished' }),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'DataSource' })

const NewSource = z
  .strictObject({
    name: text(200),
    provider: z.enum(sourceProviders),
    config: UploadConfig.default({}),
    sync_mode: z.enum(['full', 'incremental']).default('incremental'),
    schedule: Schedule.default({ type: 'manual' }),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .meta({ id: 'NewDataSource' })

const SourcePatch = z.strictObject({
  name: text(200).optional(),
  config: z
    .strictObject({
      key: fieldName.nullable().optional(),
      title_field: fieldName.nullable().optional(),
      text_field: fieldName.nullable().optional(),
      url_field: fieldName.nullable().optional(),
    })
    .nullable()
    .optional(),
  sync_mode: z.enum(['full', 'incremental']).optional(),
  schedule: Schedule.optional(),
  status: z.enum(['active', 'paused']).optional(),
  metadata: z.record(text(40), text(500, 0).nullable()).nullable().optional(),
  external_id: text(200).nullable().optional(),
})

/** What a sync can fail at. */
export const syncErrorCodes = ['config', 'auth', 'transient', 'schema', 'system'] as const
export type SyncErrorCode = (typeof syncErrorCodes)[number]

const Sync = z
  .object({
    id: id('sync'),
    data_source_id: id('src'),
    trigger: z.enum(['manual', 'upload', 'schedule']),
    counts: Counts,
    bad_rows: badRows(),
    cursor_before: z.string().nullable(),
    cursor_after: z.string().nullable(),
    ...jobFields,
    error: JobError.extend({ code: z.enum(syncErrorCodes) }).nullable(),
  })
  .meta({ id: 'Sync' })

const Record_ = z
  .object({
    record_id: id('rec'),
    data_source_id: id('src'),
    key: z.string(),
    data: z.record(z.string(), z.unknown()),
    title: z.string().nullable(),
    url: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Record' })

const UploadResult = z
  .object({ data_source_id: id('src'), counts: Counts, bad_rows: badRows(), record_count: z.number().int() })
  .meta({ id: 'UploadResult' })

const sourcePath = z.object({ data_source_id: id('src') })
const syncPath = z.object({ id: id('sync') })

/** Data sources, what was synced from them, their records. */
export const data = {
  health: endpoint({
    id: 'data.health',
    method: 'GET',
    path: '/v1/data/health',
    summary: 'Whether the data service answers',
    credentials: 'none',
    ok: z.object({ status: z.enum(['ok', 'degraded']) }),
  }),
  listSources: endpoint({
    id: 'data.listSources',
    method: 'GET',
    path: '/v1/data/sources',
    summary: 'List data sources',
    scope: 'data:read',
    query: listQuery({
      name: text(200).optional(),
      provider: z.enum(sourceProviders).optional(),
      status: z.enum(['active', 'paused', 'error']).optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    list: Source,
  }),
  createSource: endpoint({
    id: 'data.createSource',
    method: 'POST',
    path: '/v1/data/sources',
    summary: 'Create a data source',
    scope: 'data:write',
    body: NewSource,
    created: Source,
    location: '/v1/data/sources/{data_source_id}',
    audit: { action: 'data_source.created', target: 'data_source', field: 'data_source_id' },
  }),
  getSource: endpoint({
    id: 'data.getSource',
    method: 'GET',
    path: '/v1/data/sources/{data_source_id}',
    summary: 'Read a data source',
    scope: 'data:read',
    callers: ['solutions'],
    params: sourcePath,
    ok: Source,
  }),
  updateSource: endpoint({
    id: 'data.updateSource',
    method: 'PATCH',
    path: '/v1/data/sources/{data_source_id}',
    summary: 'Change a data source',
    scope: 'data:write',
    params: sourcePath,
    body: SourcePatch,
    ok: Source,
    audit: { action: 'data_source.updated', target: 'data_source', field: 'data_source_id' },
  }),
  deleteSource: endpoint({
    id: 'data.deleteSource',
    method: 'DELETE',
    path: '/v1/data/sources/{data_source_id}',
    summary: 'Delete a data source with its records',
    scope: 'data:write',
    params: sourcePath,
    deleted: 'data_source_id',
    audit: { action: 'data_source.deleted', target: 'data_source', field: 'data_source_id' },
  }),
  uploadRecords: endpoint({
    id: 'data.uploadRecords',
    method: 'POST',
    path: '/v1/data/sources/{data_source_id}/records',
    summary: 'Send records to an upload source, as CSV, NDJSON or JSON',
    description: [
      'CSV (RFC 4180, with a header row; separated by comma, semicolon or tab), newline-delimited JSON, or a JSON array of objects, in UTF-8 or the charset of the content type.',
      'Rows are stored in batches as they arrive and are idempotent by key, so an upload that broke off is resumed by sending it again. Of rows with one key the last one stays.',
      'A row that cannot be taken (malformed, without a key, larger than 256 KiB) is counted and listed and costs no other row.',
      'Values are kept as they were sent: those of CSV are strings, and the schema says what they can be read as. A number of JSON that a double cannot hold without losing digits is kept as a string.',
      'Over 32 MiB, or with `Prefer: respond-async`, the answer is 202 and a sync, once everything has been stored.',
    ].join('\n\n'),
    scope: 'data:write',
    params: sourcePath,
    input: 'stream',
    contentTypes: ['text/csv', 'application/x-ndjson', 'application/json'],
    ok: UploadResult,
    accepted: Sync,
    location: '/v1/data/syncs/{id}',
    limitClass: 'upload',
    errors: ['conflict'],
    audit: { action: 'data_source.records_uploaded', target: 'data_source', field: 'data_source_id' },
  }),
  startSync: endpoint({
    id: 'data.startSync',
    method: 'POST',
    path: '/v1/data/sources/{data_source_id}/sync/start',
    summary: 'Start a sync',
    scope: 'data:write',
    params: sourcePath,
    accepted: Sync,
    location: '/v1/data/syncs/{id}',
    errors: ['sync_running', 'conflict'],
    audit: { action: 'sync.started', target: 'sync', field: 'id' },
  }),
  listSyncs: endpoint({
    id: 'data.listSyncs',
    method: 'GET',
    path: '/v1/data/sources/{data_source_id}/syncs',
    summary: 'List the syncs of a data source',
    scope: 'data:read',
    params: sourcePath,
    query: listQuery({ status: z.enum(jobStates).optional() }),
    list: Sync,
  }),
  getSync: endpoint({
    id: 'data.getSync',
    method: 'GET',
    path: '/v1/data/syncs/{id}',
    summary: 'Read a sync',
    scope: 'data:read',
    params: syncPath,
    ok: Sync,
  }),
  cancelSync: endpoint({
    id: 'data.cancelSync',
    method: 'POST',
    path: '/v1/data/syncs/{id}/cancel',
    summary: 'Cancel a sync that has not ended',
    scope: 'data:write',
    params: syncPath,
    ok: Sync,
    errors: ['conflict'],
    audit: { action: 'sync.cancelled', target: 'sync', field: 'id' },
  }),
  listRecords: endpoint({
    id: 'data.listRecords',
    method: 'GET',
    path: '/v1/data/sources/{data_source_id}/records',
    summary: 'List the records of a data source',
    scope: 'data:read',
    params: sourcePath,
    query: listQuery({ key: text(500).optional() }),
    list: Record_,
  }),
  getRecord: endpoint({
    id: 'data.getRecord',
    method: 'GET',
    path: '/v1/data/records/{record_id}',
    summary: 'Read a record',
    scope: 'data:read',
    params: z.object({ record_id: id('rec') }),
    ok: Record_,
  }),
}

/** What other services read from data. */
export const dataInternal = {
  readRows: endpoint({
    id: 'data.readRows',
    method: 'GET',
    path: '/internal/data/sources/{data_source_id}/rows',
    summary: 'Chosen fields of every record of a source, in large pages, oldest first',
    description:
      'Values are typed by the schema of the source: in a field that holds numbers, text becomes numbers; likewise booleans. Times stay text; null stands for an empty text and for a field a record lacks. A page may be shorter than asked: `after` alone says whether there is more.',
    audience: 'internal',
    scope: 'data:read',
    callers: ['solutions'],
    params: sourcePath,
    query: z.strictObject({
      /** Comma-separated, each name percent-encoded. */
      fields: z.string().min(1).max(4000),
      /** From the page before. */
      after: z.string().max(512).optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(5000),
    }),
    bare: z.object({ rows: z.array(z.array(z.unknown())), after: z.string().nullable() }),
  }),
}
