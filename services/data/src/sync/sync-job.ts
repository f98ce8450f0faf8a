import {
  type BadRow,
  type JobError,
  type SchemaChange,
  type SyncCounts,
  type SyncErrorCode,
  type SyncMode,
  syncErrorCodes,
} from '@wp/contracts'
import type { Job } from '@wp/jobs'
import type { RowTotals } from './sync-counts.ts'

/** The queue of syncs; a sync is its job, about a source. */
export const queue = 'sync'

/** What a sync was started with. */
export type SyncInput =
  /** `mode`: by default that of the source. */
  { trigger: 'manual' | 'schedule'; mode?: SyncMode } | UploadSyncInput

/** What an upload did, which the sync only concludes. */
export interface UploadSyncInput {
  trigger: 'upload'
  counts: SyncCounts
  bad_rows: BadRow[]
  schema_changes: SchemaChange[]
}

/** How far a sync has come; another runner goes on from here. */
export interface ReindexState {
  counts: SyncCounts
  /** The last record that was dealt with; absent before the first. */
  cursor?: string
}

/** How far a sync that crawls its source has come. */
export interface CrawlState {
  mode: SyncMode
  counts: SyncCounts
  bad_rows: BadRow[]
  cursor_before: string | null
  cursor_after: string | null
  /** What of this another attempt will not go through again. */
  kept: RowTotals
}

/** What a sync came to. */
export interface SyncResult {
  counts: SyncCounts
  /** Of what was read; not of an upload source. */
  mode?: SyncMode
  bad_rows?: BadRow[]
  schema_changes?: SchemaChange[]
  cursor_before?: string | null
  cursor_after?: string | null
}

export const noCounts: SyncCounts = { seen: 0, created: 0, updated: 0, deleted: 0, failed: 0 }

/** Why a sync failed. The runner's own codes are about us, but for a caller who lost the right to ask. */
export function syncErrorOf({ error }: Job): (JobError & { code: SyncErrorCode }) | null {
  return error && { ...error, code: syncErrorCodes.find((code) => code === error.code) ?? fromRunner(error.code) }
}

const fromRunner = (code: string): SyncErrorCode => (code === 'caller_revoked' ? 'auth' : 'system')
