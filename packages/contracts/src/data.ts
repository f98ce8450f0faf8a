import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id } from './id.ts'
import { JobError, jobFields, jobStates, listQuery, metadata, text, timestamp } from './shape.ts'

const fieldName = text(200)

const UploadConfig = z
  .strictObject({
    key: fieldName.optional(),
    title_field: fieldName.optional(),
    text_field: fieldName.optional(),
    url_field: fieldName.optional(),
  })
  .meta({ id: 'UploadConfig' })

const Schedule = z.strictObject({ type: z.enum(['manual']) }).meta({ id: 'Schedule' })

export const sourceProviders = ['upload'] as const

const Counts = z
  .object({
    seen: z.number().int(),
    created: z.number().int(),
    updated: z.number().int(),
    deleted: z.number().int(),
    failed: z.number().int(),
  })
  .meta({ id: 'SyncCounts' })

/** A row that could not be taken, and why. */
const BadRow = z.object({ line: z.number().int(), reason: z.string() }).meta({ id: 'BadRow' })

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
    schema: z.array(
      z.object({ name: z.string(), type: z.enum(['string', 'number', 'boolean', 'timestamp', 'mixed', 'null']) }),
    ),
    record_count: z.number().int(),
    last_sync_id: z.string().nullable(),
    last_synced_at: timestamp().nullable(),
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
    .optional(),
  sync_mode: z.enum(['full', 'incremental']).optional(),
  status: z.enum(['active', 'paused']).optional(),
  metadata: metadata().nullable().optional(),
  external_id: text(200).nullable().optional(),
})

const Sync = z
  .object({
    id: id('sync'),
    data_source_id: id('src'),
    trigger: z.enum(['manual', 'upload', 'schedule']),
    counts: Counts,
    bad_rows: z.array(BadRow),
    cursor_before: z.string().nullable(),
    cursor_after: z.string().nullable(),
    ...jobFields,
    error: JobError.extend({ code: z.enum(['config', 'auth', 'transient', 'schema', 'system']) }).nullable(),
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
  .object({ data_source_id: id('src'), counts: Counts, bad_rows: z.array(BadRow), record_count: z.number().int() })
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
    description:
      'Batches are stored as they arrive and are idempotent by key, so an upload that broke off is resumed by sending it again. Over 32 MiB, or with `Prefer: respond-async`, the answer is 202 and a sync.',
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
    summary: 'Chosen fields of every record of a source, in large pages, in the order of keys',
    audience: 'internal',
    scope: 'data:read',
    callers: ['solutions'],
    params: sourcePath,
    query: z.strictObject({
      /** Comma-separated, each name percent-encoded. */
      fields: z.string().min(1).max(4000),
      after: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(5000),
    }),
    bare: z.object({ rows: z.array(z.array(z.unknown())), after: z.string().nullable() }),
  }),
}
