import type { data } from '@wp/contracts'
import type { z } from 'zod'
import { schemaOf } from './schema/fields.ts'
import type { SourceRecord } from './store/records.ts'
import type { Source } from './store/sources.ts'

type SourceView = z.input<typeof data.getSource.ok>

export const sourceView = (source: Source): SourceView => ({
  data_source_id: source.dataSourceId,
  name: source.name,
  // These three columns take only what the contract allowed in.
  provider: source.provider as SourceView['provider'],
  sync_mode: source.syncMode as SourceView['sync_mode'],
  status: source.status as SourceView['status'],
  config: source.config,
  // An upload source is reached without any integration.
  integration_id: null,
  schedule: source.schedule,
  schema: schemaOf(source.fields),
  record_count: source.recordCount,
  last_sync_id: source.lastSyncId,
  last_synced_at: source.lastSyncedAt?.toISOString() ?? null,
  metadata: source.metadata,
  external_id: source.externalId,
  created_at: source.createdAt.toISOString(),
  updated_at: source.updatedAt.toISOString(),
})

export const recordView = (record: SourceRecord): z.input<typeof data.getRecord.ok> => ({
  record_id: record.recordId,
  data_source_id: record.dataSourceId,
  key: record.key,
  data: record.data,
  title: record.title,
  url: record.url,
  created_at: record.createdAt.toISOString(),
  updated_at: record.updatedAt.toISOString(),
})
