import { data, dataEmbedding, type SourceConfig } from '@wp/contracts'
import { viewOf } from '@wp/database'
import { type Job, jobFields } from '@wp/jobs'
import type { z } from 'zod'
import { withoutValue } from './privacy/record-access.ts'
import { createOccurredAtReader } from './schema/declared-fields.ts'
import { toSchemaFields } from './schema/source-schema.ts'
import type { EmbeddingState } from './store/embeddings/embedding-choice.ts'
import type { SourceRecord } from './store/records/records.ts'
import type { Source } from './store/sources/sources.ts'
import { type CrawlState, noCounts, type SyncInput, type SyncResult, syncErrorOf } from './sync/sync-job.ts'

type SourceView = z.input<typeof data.getSource.ok>

export const sourceView = (source: Source): SourceView =>
  viewOf(data.getSource.ok, source, { schema: toSchemaFields(source.fields, source.config) })

export const recordView = (record: SourceRecord, config: SourceConfig): z.input<typeof data.getRecord.ok> =>
  viewOf(data.getRecord.ok, record, {
    occurred_at: config.timestamp_field === undefined ? undefined : createOccurredAtReader(config)(record.data),
  })

type SyncView = z.input<typeof data.getSync.ok>

/** @param hidesValues leaves out values of refused rows */
export function syncView(job: Job, hidesValues = false): SyncView {
  // Written by sync/ alone with these types; the detail is empty before the first step.
  const input = job.input as SyncInput
  const state = job.detail as Partial<CrawlState>
  const result = job.result as SyncResult | null
  const badRows = result?.bad_rows ?? state.bad_rows ?? (input.trigger === 'upload' ? input.bad_rows : [])
  return {
    id: job.id,
    data_source_id: job.subject ?? '',
    trigger: input.trigger,
    mode: result?.mode ?? state.mode ?? (input.trigger === 'upload' ? null : (input.mode ?? null)),
    counts: result?.counts ?? state.counts ?? (input.trigger === 'upload' ? input.counts : noCounts),
    bad_rows: hidesValues ? badRows.map(withoutValue) : badRows,
    schema_changes: result?.schema_changes ?? [],
    ...warningsOf(result?.warnings ?? state.warnings ?? (input.trigger === 'upload' ? input.warnings : undefined)),
    // An upload has no cursor.
    cursor_before: result?.cursor_before ?? state.cursor_before ?? null,
    cursor_after: result?.cursor_after ?? state.cursor_after ?? null,
    ...jobFields(job),
    error: syncErrorOf(job),
  }
}

const warningsOf = (warnings: SyncResult['warnings'] = []) => (warnings.length > 0 ? { warnings } : {})

type EmbeddingView = z.input<typeof dataEmbedding.getEmbedding.ok>

export const embeddingView = (workspaceId: string, state: EmbeddingState): EmbeddingView =>
  viewOf(dataEmbedding.getEmbedding.ok, state, { workspace_id: workspaceId, status: embeddingStatusOf(state) })

function embeddingStatusOf({ integrationId, isChecked, isUsable }: EmbeddingState): EmbeddingView['status'] {
  if (integrationId === null) return 'off'
  if (!isChecked) return 'pending'
  return isUsable ? 'active' : 'unavailable'
}
