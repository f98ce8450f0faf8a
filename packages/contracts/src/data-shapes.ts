import { z } from 'zod'
import { sourceProviders, UploadConfig } from './data-providers.ts'
import { SearchLanguage } from './data-search.ts'
import { id } from './id.ts'
import { JobError, jobFields, metadata, metadataPatch, text, timestamp } from './shape.ts'

const Schedule = z.strictObject({ type: z.enum(['manual']) }).meta({ id: 'Schedule' })

/** What a field of a source holds. */
export const fieldTypes = ['string', 'number', 'boolean', 'timestamp', 'mixed', 'null'] as const
export type FieldType = (typeof fieldTypes)[number]

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

export const NewSource = z
  .strictObject({
    name: text(200),
    provider: z.literal('upload'),
    config: UploadConfig.default({}),
    sync_mode: z.enum(['full', 'incremental']).default('incremental'),
    schedule: Schedule.default({ type: 'manual' }),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .meta({ id: 'NewDataSource' })

export const SourcePatch = z.strictObject({
  name: text(200).optional(),
  config: z
    .strictObject({
      key: text(200).nullable().optional(),
      title_field: text(200).nullable().optional(),
      text_field: text(200).nullable().optional(),
      url_field: text(200).nullable().optional(),
      language: SearchLanguage.nullable().optional(),
    })
    .nullable()
    .optional(),
  sync_mode: z.enum(['full', 'incremental']).optional(),
  schedule: Schedule.optional(),
  status: z.enum(['active', 'paused']).optional(),
  metadata: metadataPatch(),
  external_id: text(200).nullable().optional(),
})

/** What a sync can fail at. */
export const syncErrorCodes = ['config', 'auth', 'transient', 'schema', 'system'] as const
export type SyncErrorCode = (typeof syncErrorCodes)[number]

export const Sync = z
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

export const Record_ = z
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

export const UploadResult = z
  .object({ data_source_id: id('src'), counts: Counts, bad_rows: badRows(), record_count: z.number().int() })
  .meta({ id: 'UploadResult' })

export const sourcePath = z.object({ data_source_id: id('src') })
export const syncPath = z.object({ id: id('sync') })
