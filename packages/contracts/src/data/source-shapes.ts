import { z } from 'zod'
import { boundedRecord } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { metadata, metadataPatch, text, timestamp } from '../core/shape/shape.ts'
import { Schedule, UploadSchedule } from './schedule.ts'
import {
  declarableTypes,
  HttpConfig,
  PostgresConfig,
  S3Config,
  sourceConfigs,
  sourceProviders,
  UploadConfig,
} from './source-config.ts'
import { fieldTypes, syncErrorCodes, syncModes } from './sync-shapes.ts'

const SchemaField = z
  .object({
    name: z.string().describe('Name of the field in the rows'),
    type: z.enum(fieldTypes).describe('The declared type, or else the inferred one'),
    declared: z.enum(declarableTypes).optional().describe('The type declared in the config'),
    inferred: z
      .enum(fieldTypes)
      .nullable()
      .optional()
      .describe('The inferred type of a declared field; null if no record has the field'),
  })
  .meta({ id: 'SchemaField' })

const SourceError = z
  .object({
    code: z
      .enum(syncErrorCodes)
      .describe(
        'Kind of the failure; `config`, `auth`, `schema` and the codes of formats need a change, `transient` may pass by itself',
      ),
    message: z.string().describe('What went wrong and what to do, in words'),
    at: timestamp().describe('When the sync failed'),
  })
  .meta({ id: 'SourceError' })

/** The readers of the records of a source: `aggregates` leaves them to forecasts and other aggregates. */
export const recordAccess = ['full', 'aggregates'] as const
export type RecordAccess = (typeof recordAccess)[number]

const recordAccessDescription =
  '`aggregates`: no reader gets the records, neither by the API nor in searches, agents, MCP clients or the console. Only forecasts and other aggregates use them; names and types of the fields stay visible'

/** The schema of a source contains at most so many fields: a source with more is not tabular. */
export const maxSchemaFields = 500

export const Source = z
  .object({
    data_source_id: id('src'),
    name: z.string().describe('Name of the source, for people'),
    provider: z
      .enum(sourceProviders)
      .describe('Where the rows come from: uploads, an HTTP address, a PostgreSQL query, or objects of an S3 bucket'),
    config: z.union(Object.values(sourceConfigs)).describe('The config of the provider, with defaults'),
    integration_id: id('int')
      .nullable()
      .describe(
        'The integration with which the source is read; null for uploads and for addresses without credentials',
      ),
    sync_mode: z
      .enum(syncModes)
      .describe(
        '`full` reads everything and deletes missing records; `incremental` reads new rows only, where they can be identified',
      ),
    embed: z
      .boolean()
      .describe(
        'True if the records are embedded for search by meaning, once `PATCH /v1/data/embedding` has chosen a model',
      ),
    record_access: z.enum(recordAccess).describe(recordAccessDescription),
    schedule: Schedule,
    next_sync_at: timestamp().nullable().describe('Next due time of the schedule; null while paused'),
    status: z
      .enum(['active', 'paused', 'error'])
      .describe('`error`: the last sync failed; the schedule continues, and the next successful sync sets `active`'),
    last_error: SourceError.nullable().describe('Error of the last sync; null after a successful one'),
    schema: z
      .array(SchemaField)
      .describe(
        `The first ${maxSchemaFields} fields with their types: declared in the config, or inferred from the records, where text is parsed`,
      ),
    record_count: z.number().int().describe('Number of records that the source has now'),
    last_sync_id: z.string().nullable().describe('The last sync or upload; null before the first'),
    last_synced_at: timestamp().nullable().describe('Time of the last finished sync or upload'),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'DataSource' })

const commonSourceFields = {
  name: resourceName(200).describe('Name of the source, for people'),
  sync_mode: z
    .enum(syncModes)
    .default('incremental')
    .describe(
      '`full` reads everything and deletes missing records; `incremental` reads new rows only, where they can be identified',
    ),
  embed: z
    .boolean()
    .default(false)
    .describe('True: titles and texts are sent to the embedding model that the workspace has chosen'),
  record_access: z.enum(recordAccess).default('full').describe(recordAccessDescription),
  metadata: metadata().default({}),
  external_id: text(200).nullable().default(null),
}
const integrationId = id('int').describe('An integration of the same provider, with which the source is read')

/** A new source; the shape depends on the provider. */
export const NewSource = z
  .discriminatedUnion('provider', [
    z
      .strictObject({
        ...commonSourceFields,
        provider: z.literal('upload').describe('The rows are sent to `POST /v1/data/sources/{data_source_id}/records`'),
        config: UploadConfig.default({}),
        integration_id: z
          .null('must be null: an upload source is not read through an integration')
          .default(null)
          .describe('Always null: nothing is read through an integration'),
        schedule: UploadSchedule.default({ type: 'manual' }),
      })
      .meta({ id: 'NewUploadSource' }),
    z
      .strictObject({
        ...commonSourceFields,
        provider: z.literal('http').describe('The rows are read from an HTTP address'),
        config: HttpConfig,
        integration_id: integrationId
          .nullable()
          .default(null)
          .describe('The integration with the credentials of the address; null if it needs none'),
        schedule: Schedule.default({ type: 'manual' }),
      })
      .meta({ id: 'NewHttpSource' }),
    z
      .strictObject({
        ...commonSourceFields,
        provider: z.literal('postgres').describe('The rows are read by a query from a PostgreSQL database'),
        config: PostgresConfig,
        integration_id: integrationId,
        schedule: Schedule.default({ type: 'manual' }),
      })
      .meta({ id: 'NewPostgresSource' }),
    z
      .strictObject({
        ...commonSourceFields,
        provider: z.literal('s3').describe('The rows are read from the objects of an S3 bucket'),
        config: S3Config.prefault({}),
        integration_id: integrationId,
        schedule: Schedule.default({ type: 'manual' }),
      })
      .meta({ id: 'NewS3Source' }),
  ])
  .meta({ id: 'NewDataSource' })

/** More than the config of any provider has. */
const maxConfigFields = 50

/** A change of a source. The merged result is validated by the shapes of its provider. */
export const SourcePatch = z.strictObject({
  name: resourceName(200).optional().describe('Name of the source, for people'),
  config: boundedRecord(text(200), z.unknown(), maxConfigFields)
    .nullable()
    .optional()
    .describe(
      'A merge patch (RFC 7396): null removes a member, also of a nested object, and null in place of the object removes all. The result is validated by the config shape of the provider',
    ),
  integration_id: id('int')
    .nullable()
    .optional()
    .describe('Another integration of the same provider; null for an address without credentials'),
  sync_mode: z
    .enum(syncModes)
    .optional()
    .describe(
      '`full` reads everything and deletes missing records; `incremental` reads new rows only, where they can be identified',
    ),
  embed: z
    .boolean()
    .optional()
    .describe('True: titles and texts are sent to the embedding model that the workspace has chosen'),
  record_access: z
    .enum(recordAccess)
    .optional()
    .describe(
      'Only an owner of the workspace, signed in as a user, can change `full` to `aggregates`. `aggregates` is final: a change back is refused',
    ),
  schedule: Schedule.optional(),
  status: z.enum(['active', 'paused']).optional().describe('`paused` stops the schedule, `active` resumes it'),
  metadata: metadataPatch(),
  external_id: text(200).nullable().optional(),
})

export const sourcePath = z.object({ data_source_id: id('src') })
