import { Problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import type { Context } from '../context.ts'
import { meterWrittenRecords } from '../ingest/store-batch.ts'
import type { Client, Tx } from '../store/client.ts'
import { enforceStorageQuotas, type StorageChange } from '../store/quotas.ts'
import { deleteRecords } from '../store/records/delete-records.ts'
import type { LockedSource } from '../store/sources/locked-source.ts'
import { updateSourceStatistics } from '../store/sources/observed-schema.ts'
import type { ExistingKeys } from './batching/existing-keys.ts'
import { lockSyncSource } from './finish-sync.ts'
import type { CrawlState } from './sync-job.ts'

/** One attempt at a crawl. */
export interface CrawlSession {
  database: Context['database']
  control: JobControl<Client>
  job: Job
  /** As of the start of the crawl. */
  source: LockedSource
  /** Identifies the attempt. */
  crawlId: string
  /** Keys of the records before the crawl; undefined for an incremental crawl, which deletes nothing. */
  existingKeys: ExistingKeys | undefined
  /** True if the request allows to delete any number of records. */
  allowsDeletions: boolean
}

/**
 * Writes one step of a crawl and its progress in one transaction, while the job lease is held.
 * @param work returns the state after the step; may run more than once
 * @returns the state after the step
 * @throws JobFailure if the source was deleted or paused
 */
export async function runCrawlStep(
  { control, job }: CrawlSession,
  state: CrawlState,
  work: (tx: Tx, source: LockedSource) => Promise<CrawlState>,
  progress?: number,
): Promise<CrawlState> {
  control.signal.throwIfAborted()
  let next = state
  await control.checkpoint(async (tx) => {
    const source = await lockSyncSource(tx, job)
    assertNotPaused(source)
    next = await work(tx, source)
    return { detail: { ...next }, ...(progress === undefined ? {} : { progress: Math.min(0.99, progress) }) }
  })
  return next
}

/** Deletes records within a step. @returns the state after the deletion */
export async function deleteInStep(
  { query }: Tx,
  source: LockedSource,
  state: CrawlState,
  recordIds: readonly string[],
): Promise<CrawlState> {
  const { records, bytes } = await deleteRecords(query, source, recordIds)
  await updateSourceStatistics(query, source, { records: -records, bytes: -bytes })
  return { ...state, counts: { ...state.counts, deleted: state.counts.deleted + records } }
}

/** @throws JobFailure */
export function assertNotPaused({ status }: Pick<LockedSource, 'status'>): void {
  if (status === 'paused')
    throw new JobFailure({ code: 'config', message: 'The data source is paused', retryable: false })
}

/** Asserts that what a step stored is within the quotas of the workspace. @throws JobFailure */
export const assertStorageQuotas = (
  query: Query,
  { workspaceId }: LockedSource,
  change: StorageChange,
): Promise<void> => failOverQuota(() => enforceStorageQuotas(query, workspaceId, change))

/** Records the use of the meter `records` by a step. @throws JobFailure if the meter is exhausted */
export const meterCrawledRecords = (
  tx: Tx,
  source: LockedSource,
  counts: Parameters<typeof meterWrittenRecords>[2],
): Promise<void> => failOverQuota(() => meterWrittenRecords(tx, source, counts))

async function failOverQuota(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'quota_exceeded') throw error
    throw new JobFailure({ code: 'config', message: error.detail, retryable: false })
  }
}
