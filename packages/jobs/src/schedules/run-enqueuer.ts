import type { IdPrefix } from '@wp/contracts'
import type { Database } from '@wp/database'
import { newId } from '@wp/database/new-id'
import { isInfrastructureError, serviceCaller } from '@wp/events'
import type { Log, PassResult } from '@wp/runtime'
import { enqueue } from '../queue/enqueue.ts'
import { scheduleQueue } from './calendar-schedule.ts'
import { type ClaimedSchedule, claimRuns, listDueWorkspaces, readPauseMs } from './claim-runs.ts'

/** Input of a job that a calendar schedule has enqueued. */
export interface CalendarInput {
  resourceId: string
  /** Local date of the run, `YYYY-MM-DD`. */
  date: string
}

export interface RunEnqueuerOptions {
  database: Database
  service: string
  /** The queues with calendar schedules, and the prefix of the identifiers of their jobs. */
  queues: Readonly<Record<string, IdPrefix>>
  log: Log
  /** Default: the time of the database. */
  now?: () => Date
}

/** Schedules of one workspace in one transaction. */
const batchSize = 50
/** Workspaces of one pass. */
const maxWorkspaces = 100
/** Longest pause, in case a wake is missed. */
const maxPauseMs = 60_000
/** Pause while another replica has locked all due schedules. */
const contendedPauseMs = 1_000

/** The repeated passes of a run enqueuer, as a `Schedule` of background work. */
export interface RunEnqueuer {
  name: string
  everyMs: number
  wakeQueue: string
  pass(signal: AbortSignal): Promise<PassResult>
}

/**
 * Returns the passes that enqueue a job for each due run of the calendar schedules of a service: exactly one for each
 * schedule and local date, whatever fails. One transaction enqueues the jobs of a batch and moves their schedules to
 * the next run. Workspaces take turns by batch. Between passes it sleeps until the next run, a changed schedule, or the
 * end of a minute.
 *
 * A run that was missed, because the service was down, happens late. If several dates of a schedule were missed, only
 * the latest runs; the others are skipped, and their number is logged.
 */
export function createRunEnqueuer(options: RunEnqueuerOptions): RunEnqueuer {
  const { database, service, log, now } = options
  const { worker } = database
  const queues = Object.keys(options.queues)
  let servedLast = ''

  /** @returns the number of claimed schedules */
  async function enqueueDue(workspaceId: string): Promise<number> {
    const caller = serviceCaller(service, { shard: database.shard, workspaceId, requestId: `calendar-${workspaceId}` })
    const claimed = await database.transact(caller, async (tx) => {
      const runs = await claimRuns(tx.query, { workspaceId, queues, now: now?.(), limit: batchSize })
      for (const { queue, resourceId, date } of runs) {
        const prefix = options.queues[queue]
        if (date === null || prefix === undefined) continue
        const input: CalendarInput = { resourceId, date }
        await enqueue(tx, { id: newId(prefix), queue, subject: resourceId, input })
      }
      return runs
    })
    logSkipped(workspaceId, claimed)
    return claimed.length
  }

  function logSkipped(workspaceId: string, claimed: readonly ClaimedSchedule[]): void {
    const missed = claimed.filter(({ skipped }) => skipped > 0)
    if (missed.length === 0) return
    const dates = missed.reduce((sum, { skipped }) => sum + skipped, 0)
    log.warn(
      { event: 'schedule.dates_skipped', workspaceId, schedules: missed.length, dates },
      'skipped missed dates of calendar schedules; the latest one runs late',
    )
  }

  async function pass(signal: AbortSignal): Promise<PassResult> {
    const due = await listDueWorkspaces(worker, { queues, now: now?.(), after: servedLast, limit: maxWorkspaces })
    if (due.length === 0) {
      const pauseMs = await readPauseMs(worker, { queues, now: now?.() })
      return pauseMs === null ? 'idle' : Math.min(pauseMs, maxPauseMs)
    }
    let claimed = 0
    let failure: Error | undefined
    for (const workspaceId of due) {
      if (signal.aborted) return 'idle'
      servedLast = workspaceId
      try {
        claimed += await enqueueDue(workspaceId)
      } catch (cause) {
        if (isInfrastructureError(cause)) throw cause
        failure ??= new Error(`the due calendar schedules of ${workspaceId} cannot be run`, { cause })
      }
    }
    if (claimed > 0) return 'more'
    // Reported once no other workspace is waiting: the pause after a failure would delay it.
    if (failure !== undefined) throw failure
    return contendedPauseMs
  }
  return { name: `calendar schedules of ${service}`, everyMs: maxPauseMs, wakeQueue: scheduleQueue, pass }
}
