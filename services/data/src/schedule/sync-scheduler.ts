import { type Log, createLoop, type Worker } from '@wp/runtime'
import type { Database, Transaction } from '@wp/database'
import { newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import { enqueue, JobConflict } from '@wp/jobs'
import type { PrismaClient } from '#db'
import { type DueSource, listDueSources, lockDueSource, scheduleNextSync } from '../store/sources/due-sources.ts'
import { queue, type SyncInput } from '../sync/sync-job.ts'
import { nextRun } from './next-run.ts'

interface SyncSchedulerOptions {
  database: Database<PrismaClient>
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
  /** How late a sync may begin. Default 1,000. */
  pollMs?: number
}

/** As many as are looked for at once. */
const batchSize = 100

/**
 * Starts the syncs of sources whose schedule is due, each in a transaction of its own that also says when it is due
 * next, so that neither replicas double nor a crash drops one. A source that is being synced is passed over until then.
 */
export function createSyncScheduler({ database, log, now, pollMs = 1_000 }: SyncSchedulerOptions): Worker {
  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    const due = await listDueSources(database.worker, new Date(now()), batchSize)
    let started = 0
    for (const source of due) {
      if (signal.aborted) return 'idle'
      const { workspaceId, dataSourceId } = source
      const requestId = newId('sync')
      const caller = serviceCaller('data', { shard: database.shard, workspaceId, requestId })
      try {
        if (await database.transact(caller, (tx) => startSync(tx, source, requestId))) started++
      } catch (error) {
        // The others are not to wait for one that cannot be started.
        log.error({ err: error, dataSourceId }, 'a scheduled sync could not be started')
      }
    }
    return due.length === batchSize && started > 0 ? 'more' : 'idle'
  }

  /** @returns whether it was ours to start, not another replica's */
  async function startSync(tx: Transaction<PrismaClient>, { dataSourceId }: DueSource, id: string): Promise<boolean> {
    const at = new Date(now())
    const source = await lockDueSource(tx, dataSourceId, at)
    if (source === undefined) return false
    const input: SyncInput = { trigger: 'schedule' }
    try {
      await enqueue(tx, { id, queue, subject: dataSourceId, exclusive: dataSourceId, input })
    } catch (error) {
      // One is queued or runs: it does what this one would have done.
      if (!(error instanceof JobConflict)) throw error
    }
    await scheduleNextSync(tx, dataSourceId, nextRun(source.schedule, at, source.nextSyncAt))
    return true
  }

  return createLoop({ name: 'schedule of syncs', pass, pollMs, log })
}
