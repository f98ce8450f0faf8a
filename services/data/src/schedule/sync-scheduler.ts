import { Problem } from '@wp/contracts'
import { type Database, enforceMeters, newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import { enqueue, JobConflict } from '@wp/jobs'
import type { Schedule } from '@wp/jobs/background'
import type { Log, PassResult } from '@wp/runtime'
import type { Client, Tx } from '../store/client.ts'
import { listDueSources, lockDueSource, scheduleNextSync, syncScheduleQueue } from '../store/sources/due-sources.ts'
import type { SourceKey } from '../store/sources/sources.ts'
import { queue, type SyncInput } from '../sync/sync-job.ts'
import { nextRun } from './next-run.ts'

interface SyncScheduleOptions {
  database: Database<Client>
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}

/** Longest pause, in case a wake is missed. */
const pollMs = 15_000
/** Pause after a pass with due sources: some may have failed to start, and others are due again soon. */
const retryMs = 1_000
/** Sources read per pass. */
const batchSize = 100

/**
 * Returns the schedule that starts the syncs of sources whose schedule is due. One transaction per source enqueues the
 * sync and sets the next due time, so a sync is neither started twice by two replicas nor lost in a crash. A source
 * with an active sync skips a turn.
 */
export function syncSchedule({ database, log, now }: SyncScheduleOptions): Schedule {
  async function pass(signal: AbortSignal): Promise<PassResult> {
    const startedAt = now()
    const upcoming = await listDueSources(database.worker, new Date(startedAt + pollMs), batchSize)
    const due = upcoming.filter(({ nextSyncAt }) => nextSyncAt.getTime() <= startedAt)
    let started = 0
    for (const source of due) {
      if (signal.aborted) return 'idle'
      const { workspaceId, dataSourceId } = source
      const requestId = newId('sync')
      const caller = serviceCaller('data', { shard: database.shard, workspaceId, requestId })
      try {
        if (await database.transact(caller, (tx) => startSync(tx, source, requestId))) started++
      } catch (error) {
        // One failure does not delay the other sources.
        log.error(
          { err: error, dataSourceId, event: 'scheduled_sync.start_failed' },
          'failed to start a scheduled sync',
        )
      }
    }
    if (due.length > 0) return due.length === batchSize && started > 0 ? 'more' : retryMs
    return upcoming[0] === undefined ? 'idle' : upcoming[0].nextSyncAt.getTime() - startedAt
  }

  /** @returns false if another replica has taken the source */
  async function startSync(tx: Tx, { workspaceId, dataSourceId }: SourceKey, id: string): Promise<boolean> {
    const at = new Date(now())
    const source = await lockDueSource(tx, dataSourceId, at)
    if (source === undefined) return false
    const input: SyncInput = { trigger: 'schedule' }
    try {
      await enforceMeters(tx.query, workspaceId, ['syncs'])
      await enqueue(tx, { id, queue, subject: dataSourceId, exclusive: dataSourceId, input })
    } catch (error) {
      // A queued or running sync does the same work; a source whose workspace has used up its syncs skips its turn.
      if (!(error instanceof JobConflict) && !isQuotaExceeded(error)) throw error
    }
    await scheduleNextSync(tx, dataSourceId, nextRun(source.schedule, at, source.nextSyncAt))
    return true
  }

  return { name: 'schedule of syncs', everyMs: pollMs, wakeQueue: syncScheduleQueue, pass }
}

const isQuotaExceeded = (error: unknown): boolean => error instanceof Problem && error.code === 'quota_exceeded'
