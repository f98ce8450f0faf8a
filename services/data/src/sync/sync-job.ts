import {
  type BadRow,
  type JobError,
  type SchemaChange,
  type SyncCounts,
  type SyncErrorCode,
  type SyncMode,
  type SyncWarning,
  syncErrorCodes,
} from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { countQueuedJobs } from '@wp/database'
import type { Job } from '@wp/jobs'
import { cancelJob, listJobs } from '@wp/jobs'
import type { RowTotals } from './batching/sync-counts.ts'

/** The queue of syncs; the subject of a job is the source. */
export const queue = 'sync'

export const syncQuota = countQueuedJobs('sync', queue)

/** The input of the job. */
export type SyncInput =
  /** `mode` defaults to the mode of the source. */
  { trigger: 'manual' | 'schedule'; mode?: SyncMode; allow_deletions?: boolean } | UploadSyncInput

/** The result of an upload whose rows are stored already. */
export interface UploadSyncInput {
  trigger: 'upload'
  counts: SyncCounts
  bad_rows: BadRow[]
  schema_changes: SchemaChange[]
  warnings?: SyncWarning[]
}

/** The progress of a sync that reindexes the records of an upload source, saved in the detail of the job. */
export interface ReindexState {
  counts: SyncCounts
  /** Position of the last processed record; absent before the first. */
  cursor?: string
}

/** The progress of a sync that crawls its source, saved in the detail of the job. */
export interface CrawlState {
  mode: SyncMode
  counts: SyncCounts
  bad_rows: BadRow[]
  /** Number of bad rows whose key could not be read; absent for none. */
  without_key?: number
  /** Number of bad rows below a table; absent for none. */
  footers?: number
  warnings?: SyncWarning[]
  cursor_before: string | null
  cursor_after: string | null
  /** Totals of the rows that another attempt will not read again. */
  kept: RowTotals
}

/** The result of the job. */
export interface SyncResult {
  counts: SyncCounts
  /** Only of a crawl, like the following members. */
  mode?: SyncMode
  bad_rows?: BadRow[]
  warnings?: SyncWarning[]
  schema_changes?: SchemaChange[]
  cursor_before?: string | null
  cursor_after?: string | null
}

export const noCounts: SyncCounts = { seen: 0, created: 0, updated: 0, deleted: 0, failed: 0 }

/** Returns the error of a failed sync. Codes of the job runner become `auth` (caller revoked) or `system`. */
export function syncErrorOf({ error }: Job): (JobError & { code: SyncErrorCode }) | null {
  return error && { ...error, code: syncErrorCodes.find((code) => code === error.code) ?? fromRunner(error.code) }
}

const fromRunner = (code: string): SyncErrorCode => (code === 'caller_revoked' ? 'auth' : 'system')

/** Cancels the queued and running syncs of a source. @param onlyStarted keeps syncs that have not started */
export async function cancelSyncs(
  tx: Transaction,
  workspaceId: string,
  subject: string,
  { onlyStarted = false }: { onlyStarted?: boolean } = {},
): Promise<void> {
  for (const state of ['queued', 'running'] as const)
    for (let hasMore = true; hasMore; ) {
      const { items, nextCursor } = await listJobs(tx.query, { workspaceId, queue, subject, state, limit: 100 })
      for (const { id, startedAt } of items)
        if (!onlyStarted || startedAt !== null) await cancelJob(tx, { workspaceId, queue, id })
      hasMore = nextCursor !== null
    }
}
