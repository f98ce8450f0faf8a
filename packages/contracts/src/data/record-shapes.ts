import { z } from 'zod'
import { id } from '../core/id.ts'
import { timestamp } from '../core/shape.ts'
import { badRows, SyncCounts, schemaChanges } from './sync-shapes.ts'

export const DataRecord = z
  .object({
    record_id: id('rec'),
    data_source_id: id('src'),
    key: z.string(),
    data: z.record(z.string(), z.unknown()),
    title: z.string().nullable(),
    url: z.string().nullable(),
    occurred_at: timestamp().nullable().optional().meta({
      description: 'Value of the `timestamp_field` of the source, if configured; null if it is not a time',
    }),
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
    record_count: z.number().int(),
    warnings: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .optional()
      .meta({
        description: '`missing_records_kept`: a full upload deleted nothing, because keys of invalid rows are unknown',
      }),
  })
  .meta({ id: 'UploadResult' })
