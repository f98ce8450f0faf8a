import { z } from 'zod'
import { boundedArray } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { text, timestamp } from '../core/shape/shape.ts'
import { SearchFilters } from './search-filter.ts'
import { badRows, SyncCounts, schemaChanges, syncWarnings } from './sync-shapes.ts'

/**
 * The fields of a record or row, by name. Not `z.record`, which leaves out a field named `__proto__`: in a row it is an
 * ordinary field.
 */
export const rowData = () =>
  z
    .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} })

export const DataRecord = z
  .object({
    record_id: id('rec'),
    data_source_id: id('src'),
    key: z
      .string()
      .describe('Identifies the record in its source: the value of the `key` field, or what is derived from the row'),
    data: rowData().describe('The fields of the row, with the values as they are stored'),
    title: z.string().nullable().describe('Title, from the `title_field` of the source; null if there is none'),
    url: z
      .string()
      .nullable()
      .describe('Address of the original, from the `url_field` of the source; null if there is none'),
    occurred_at: timestamp()
      .nullable()
      .optional()
      .describe('Value of the `timestamp_field` of the source, if configured; null if it is not a time'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Record' })

export const UploadResult = z
  .object({
    data_source_id: id('src'),
    counts: SyncCounts,
    bad_rows: badRows(),
    schema_changes: schemaChanges().optional(),
    record_count: z.number().int().describe('Number of records that the source has now'),
    warnings: syncWarnings(),
  })
  .meta({ id: 'UploadResult' })

/** Limits of one request. */
export const maxDeletedRecords = 1_000
export const maxExaminedRecords = 20_000

/** The records of a source to delete: by their keys, or by what their fields hold. */
export const RecordDeletion = z
  .strictObject({
    keys: boundedArray(text(500), maxDeletedRecords, { min: 1 })
      .optional()
      .describe('Keys of records; those that no record has are ignored'),
    filter: SearchFilters.optional().describe(
      'Conditions by field of the data, as `filters` of a search; all must match',
    ),
    cursor: text(512).optional().describe('With a filter: `next_cursor` of the previous response'),
  })
  .refine(({ keys, filter }) => (keys === undefined) !== (filter === undefined), {
    error: 'must have either `keys` or `filter`',
  })
  .refine(({ filter }) => filter === undefined || Object.keys(filter).length > 0, {
    path: ['filter'],
    error: 'must have a condition; to delete all records, delete the data source',
  })
  .refine(({ keys, cursor }) => keys === undefined || cursor === undefined, {
    path: ['cursor'],
    error: 'is allowed with `filter` only',
  })
  .meta({ id: 'RecordDeletion' })
export type RecordDeletion = z.infer<typeof RecordDeletion>

export const RecordDeletionResult = z
  .object({
    data_source_id: id('src'),
    counts: z
      .object({
        seen: z.number().int().describe('Number of different keys, or of records that were examined'),
        deleted: z.number().int().describe('Records that were deleted'),
      })
      .describe('Numbers of records of this request'),
    record_count: z.number().int().describe('Number of records left'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Send the request again with this `cursor` to examine further records; null if there are none'),
  })
  .meta({ id: 'RecordDeletionResult' })
