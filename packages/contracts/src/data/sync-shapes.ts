import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { JobError, jobFields } from '../core/shape/shape.ts'

export const syncModes = ['full', 'incremental'] as const
export type SyncMode = (typeof syncModes)[number]

/** The types of the fields of a source. */
export const fieldTypes = ['string', 'number', 'boolean', 'timestamp', 'mixed', 'null'] as const
export type FieldType = (typeof fieldTypes)[number]

export const SyncCounts = z
  .object({
    seen: z.number().int().describe('Rows that were read'),
    created: z.number().int().describe('New records'),
    updated: z.number().int().describe('Records whose content changed'),
    deleted: z.number().int().describe('Records that were deleted because a full read had no row for them'),
    failed: z.number().int().describe('Rows that were refused'),
  })
  .meta({
    id: 'SyncCounts',
    description: 'Numbers of rows. Rows that were seen and are not in another count are unchanged',
  })
export type SyncCounts = z.infer<typeof SyncCounts>

/** A row that was rejected. */
const BadRow = z
  .object({
    line: z.number().int().describe('First line of the row, from 1'),
    reason: z.string().describe('Why it was rejected, in words'),
    column: z.string().optional().describe('The column of the value that cannot be read'),
    value: z.string().optional().describe('That value as it is in the file, up to 100 characters'),
    part: z
      .string()
      .optional()
      .describe('The part in which the line is counted: the key of an object, the URL of a page'),
  })
  .meta({ id: 'BadRow', description: 'A rejected row: its first line, from 1, and the reason' })
export type BadRow = z.infer<typeof BadRow>

export const badRows = () => z.array(BadRow).describe('The first 100 rejected rows')

/** The causes of a failed sync. */
export const syncErrorCodes = [
  ...['config', 'auth', 'transient', 'schema', 'system', 'too_many_deletions', 'ambiguous_format', 'unexpected_format'],
] as const
export type SyncErrorCode = (typeof syncErrorCodes)[number]

/** The request to start a sync. */
export const SyncRequest = z
  .strictObject({
    mode: z.enum(syncModes).optional().describe('Mode of this sync; default: that of the source'),
    reset_cursor: z
      .boolean()
      .default(false)
      .describe('Resets the cursor, so that this sync reads from the beginning. Records are kept'),
    allow_deletions: z
      .boolean()
      .default(false)
      .describe(
        'Lets this sync delete any share of the records, also if the source has no rows or other fields than before',
      ),
  })
  .meta({ id: 'SyncRequest' })

const SchemaChange = z
  .object({
    field: z.string().describe('Name of the field'),
    change: z
      .enum(['added', 'removed', 'type_changed', 'not_as_declared'])
      .describe('`added` or `removed` field, other type than before, or values that do not match the declared type'),
    from: z.enum(fieldTypes).nullable().describe('Type before; null for an added field'),
    to: z.enum(fieldTypes).nullable().describe('Type now; null for a removed field'),
    count: z.number().int().optional().describe('Number of values of this sync that do not match the declared type'),
  })
  .meta({
    id: 'SchemaChange',
    description:
      'A difference from the schema before the sync. For `not_as_declared`, `from` is the declared type and `to` that of the values',
  })
export type SchemaChange = z.infer<typeof SchemaChange>

export const schemaChanges = () => z.array(SchemaChange).describe('The first 100 changes, for information')

const SyncWarning = z
  .object({
    code: z.string().describe('Stable name of the remark'),
    message: z.string().describe('The remark in words'),
    column: z.string().optional().describe('The column that it is about; absent if it is about the file'),
  })
  .meta({ id: 'SyncWarning' })
export type SyncWarning = z.infer<typeof SyncWarning>

/** Remarks on a file or source that was read. */
export const syncWarnings = () =>
  z
    .array(SyncWarning)
    .optional()
    .describe(
      'Remarks on the file. `missing_records_kept`: records that were not read were kept, because the keys of invalid rows are unknown',
    )

export const Sync = z
  .object({
    id: id('sync'),
    data_source_id: id('src'),
    trigger: z
      .enum(['manual', 'upload', 'schedule'])
      .describe('What started it: a request, an upload, or the schedule'),
    mode: z.enum(syncModes).nullable().describe('Null if nothing is read'),
    counts: SyncCounts,
    bad_rows: badRows(),
    schema_changes: schemaChanges(),
    warnings: syncWarnings(),
    cursor_before: z.string().nullable().describe('Position from which an incremental sync read; null without one'),
    cursor_after: z
      .string()
      .nullable()
      .describe('Position at which the next incremental sync goes on; null without one'),
    ...jobFields,
    error: JobError.extend({
      code: z
        .enum(syncErrorCodes)
        .describe(
          'Kind of the failure; `config`, `auth`, `schema` and the codes of formats need a change, `transient` may pass by itself',
        ),
    })
      .nullable()
      .describe('Why the sync failed; null unless its status is `failed`'),
  })
  .meta({ id: 'Sync' })

export const syncPath = z.object({ id: id('sync') })
