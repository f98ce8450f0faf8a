import { z } from 'zod'
import { id } from '../core/id.ts'
import { JobError, jobFields, metadata, metadataPatch, text, timestamp } from '../core/shape.ts'
import { Schedule, UploadSchedule } from './schedule.ts'
import {
  declarableTypes,
  HttpConfig,
  PostgresConfig,
  S3Config,
  sourceProviders,
  UploadConfig,
} from './source-config.ts'

export const syncModes = ['full', 'incremental'] as const
export type SyncMode = (typeof syncModes)[number]

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
const BadRow = z
  .object({
    line: z.number().int(),
    reason: z.string(),
    part: z
      .string()
      .optional()
      .meta({ description: 'Where the line is counted: the key of an object, the address of a page' }),
  })
  .meta({ id: 'BadRow', description: 'A row that could not be taken: the line it begins on, from 1, and why' })
export type BadRow = z.infer<typeof BadRow>

const badRows = () => z.array(BadRow).meta({ description: 'The first 100' })

/** What a sync can fail at. */
export const syncErrorCodes = ['config', 'auth', 'transient', 'schema', 'system'] as const
export type SyncErrorCode = (typeof syncErrorCodes)[number]

const SchemaField = z
  .object({
    name: z.string(),
    type: z.enum(fieldTypes).meta({ description: 'As declared, else as inferred' }),
    declared: z.enum(declarableTypes).optional().meta({ description: 'Where the config declares it' }),
    inferred: z
      .enum(fieldTypes)
      .nullable()
      .optional()
      .meta({ description: 'Beside what is declared; null for a field that no record has' }),
  })
  .meta({ id: 'SchemaField' })

const SourceError = z
  .object({ code: z.enum(syncErrorCodes), message: z.string(), at: timestamp() })
  .meta({ id: 'SourceError' })

export const Source = z
  .object({
    data_source_id: id('src'),
    name: z.string(),
    provider: z.enum(sourceProviders),
    config: z
      .union([UploadConfig, HttpConfig, PostgresConfig, S3Config])
      .meta({ description: 'By the provider, with what was left out filled in' }),
    integration_id: id('int').nullable(),
    sync_mode: z.enum(syncModes),
    schedule: Schedule,
    next_sync_at: timestamp().nullable().meta({ description: 'When the schedule is due next; null while paused' }),
    status: z.enum(['active', 'paused', 'error']).meta({
      description: '`error`: the last sync failed; a schedule goes on, and one that finishes makes it `active`',
    }),
    last_error: SourceError.nullable().meta({ description: 'Why the last sync failed; null once one has finished' }),
    schema: z.array(SchemaField).meta({
      description:
        'The first 500 fields and what they hold: declared in the config, or inferred from the records, text read as what it says',
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

const commonSourceFields = {
  name: text(200),
  sync_mode: z.enum(syncModes).default('incremental').meta({
    description:
      '`full` reads everything and removes what is gone; `incremental` reads what is new, where that can be told',
  }),
  metadata: metadata().default({}),
  external_id: text(200).nullable().default(null),
}
const integrationId = id('int').meta({ description: 'An integration of the same provider, which it is read through' })

/** By provider. */
export const NewSource = z
  .discriminatedUnion(
    'provider',
    [
      z
        .strictObject({
          ...commonSourceFields,
          provider: z.literal('upload'),
          config: UploadConfig.default({}),
          integration_id: z.null('is not for an upload source: nothing is read for it').default(null),
          schedule: UploadSchedule.default({ type: 'manual' }),
        })
        .meta({ id: 'NewUploadSource' }),
      z
        .strictObject({
          ...commonSourceFields,
          provider: z.literal('http'),
          config: HttpConfig,
          integration_id: integrationId.nullable().default(null),
          schedule: Schedule.default({ type: 'manual' }),
        })
        .meta({ id: 'NewHttpSource' }),
      z
        .strictObject({
          ...commonSourceFields,
          provider: z.literal('postgres'),
          config: PostgresConfig,
          integration_id: integrationId,
          schedule: Schedule.default({ type: 'manual' }),
        })
        .meta({ id: 'NewPostgresSource' }),
      z
        .strictObject({
          ...commonSourceFields,
          provider: z.literal('s3'),
          config: S3Config.prefault({}),
          integration_id: integrationId,
          schedule: Schedule.default({ type: 'manual' }),
        })
        .meta({ id: 'NewS3Source' }),
    ],
    { error: `must be ${sourceProviders.slice(0, -1).join(', ')} or ${sourceProviders.at(-1)}` },
  )
  .meta({ id: 'NewDataSource' })

/** What comes of it is held against the provider's shapes as a whole. */
export const SourcePatch = z.strictObject({
  name: text(200).optional(),
  config: z.record(text(200), z.unknown()).nullable().optional().meta({
    description:
      'Members are merged one by one, each as a whole: null takes one away, null for all of it takes all away. What comes of it is held against the config of the provider',
  }),
  integration_id: id('int').nullable().optional(),
  sync_mode: z.enum(syncModes).optional(),
  schedule: Schedule.optional(),
  status: z.enum(['active', 'paused']).optional(),
  metadata: metadataPatch(),
  external_id: text(200).nullable().optional(),
})

/** What a sync is asked to be. */
export const SyncRequest = z
  .strictObject({
    mode: z.enum(syncModes).optional().meta({ description: 'Of this sync alone; by default that of the source' }),
    reset_cursor: z.boolean().default(false).meta({
      description: 'Forgets how far syncs have come, so that this one reads from the beginning. Records stay',
    }),
  })
  .meta({ id: 'SyncRequest' })

const SchemaChange = z
  .object({
    field: z.string(),
    change: z.enum(['added', 'removed', 'type_changed', 'not_as_declared']),
    from: z.enum(fieldTypes).nullable(),
    to: z.enum(fieldTypes).nullable(),
    count: z.number().int().optional().meta({ description: 'How many values this sync read that are not as declared' }),
  })
  .meta({
    id: 'SchemaChange',
    description:
      'What is otherwise than before the sync. For `not_as_declared`, `from` is what was declared and `to` what such values are',
  })
export type SchemaChange = z.infer<typeof SchemaChange>

const schemaChanges = () => z.array(SchemaChange).meta({ description: 'The first 100. Reported, and no failure' })

export const Sync = z
  .object({
    id: id('sync'),
    data_source_id: id('src'),
    trigger: z.enum(['manual', 'upload', 'schedule']),
    mode: z.enum(syncModes).nullable().meta({ description: 'Null where nothing is read' }),
    counts: Counts,
    bad_rows: badRows(),
    schema_changes: schemaChanges(),
    cursor_before: z.string().nullable(),
    cursor_after: z.string().nullable(),
    ...jobFields,
    error: JobError.extend({ code: z.enum(syncErrorCodes) }).nullable(),
  })
  .meta({ id: 'Sync' })

export const DataRecord = z
  .object({
    record_id: id('rec'),
    data_source_id: id('src'),
    key: z.string(),
    data: z.record(z.string(), z.unknown()),
    title: z.string().nullable(),
    url: z.string().nullable(),
    occurred_at: timestamp().nullable().optional().meta({
      description:
        'What the `timestamp_field` of the source says, where its config names one; null where it is no time',
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Record' })

export const UploadResult = z
  .object({
    data_source_id: id('src'),
    counts: Counts,
    bad_rows: badRows(),
    schema_changes: schemaChanges().optional(),
    record_count: z.number().int(),
  })
  .meta({ id: 'UploadResult' })

export const sourcePath = z.object({ data_source_id: id('src') })
export const syncPath = z.object({ id: id('sync') })
