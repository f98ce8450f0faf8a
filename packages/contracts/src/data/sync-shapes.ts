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
    seen: z.number().int(),
    created: z.number().int(),
    updated: z.number().int(),
    deleted: z.number().int(),
    failed: z.number().int(),
  })
  .meta({
    id: 'SyncCounts',
    description: 'Numbers of rows. Rows that were seen and are not in another count are unchanged',
  })
export type SyncCounts = z.infer<typeof SyncCounts>

/** A row that was rejected. */
const BadRow = z
  .object({
    line: z.number().int(),
    reason: z.string(),
    column: z.string().optional().meta({ description: 'The column of the value that cannot be read' }),
    value: z.string().optional().meta({ description: 'That value as it is in the file, up to 100 characters' }),
    part: z
      .string()
      .optional()
      .meta({ description: 'The part in which the line is counted: the key of an object, the URL of a page' }),
  })
  .meta({ id: 'BadRow', description: 'A rejected row: its first line, from 1, and the reason' })
export type BadRow = z.infer<typeof BadRow>

export const badRows = () => z.array(BadRow).meta({ description: 'The first 100 rejected rows' })

/** The causes of a failed sync. */
export const syncErrorCodes = [
  ...['config', 'auth', 'transient', 'schema', 'system', 'too_many_deletions', 'ambiguous_format', 'unexpected_format'],
] as const
export type SyncErrorCode = (typeof syncErrorCodes)[number]

/** The request to start a sync. */
export const SyncRequest = z
  .strictObject({
    mode: z.enum(syncModes).optional().meta({ description: 'Mode of this sync; default: that of the source' }),
    reset_cursor: z.boolean().default(false).meta({
      description: 'Resets the cursor, so that this sync reads from the beginning. Records are kept',
    }),
    allow_deletions: z.boolean().default(false).meta({
      description:
        'Lets this sync delete any share of the records, also if the source has no rows or other fields than before',
    }),
  })
  .meta({ id: 'SyncRequest' })

const SchemaChange = z
  .object({
    field: z.string(),
    change: z.enum(['added', 'removed', 'type_changed', 'not_as_declared']),
    from: z.enum(fieldTypes).nullable(),
    to: z.enum(fieldTypes).nullable(),
    count: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Number of values of this sync that do not match the declared type' }),
  })
  .meta({
    id: 'SchemaChange',
    description:
      'A difference from the schema before the sync. For `not_as_declared`, `from` is the declared type and `to` that of the values',
  })
export type SchemaChange = z.infer<typeof SchemaChange>

export const schemaChanges = () => z.array(SchemaChange).meta({ description: 'The first 100 changes, for information' })

const SyncWarning = z
  .object({ code: z.string(), message: z.string(), column: z.string().optional() })
  .meta({ id: 'SyncWarning' })
export type SyncWarning = z.infer<typeof SyncWarning>

/** Remarks on a file or source that was read. */
export const syncWarnings = () =>
  z.array(SyncWarning).optional().meta({
    description:
      'Remarks on the file. `missing_records_kept`: records that were not read were kept, because the keys of invalid rows are unknown',
  })

export const Sync = z
  .object({
    id: id('sync'),
    data_source_id: id('src'),
    trigger: z.enum(['manual', 'upload', 'schedule']),
    mode: z.enum(syncModes).nullable().meta({ description: 'Null if nothing is read' }),
    counts: SyncCounts,
    bad_rows: badRows(),
    schema_changes: schemaChanges(),
    warnings: syncWarnings(),
    cursor_before: z.string().nullable(),
    cursor_after: z.string().nullable(),
    ...jobFields,
    error: JobError.extend({ code: z.enum(syncErrorCodes) }).nullable(),
  })
  .meta({ id: 'Sync' })

export const syncPath = z.object({ id: id('sync') })
