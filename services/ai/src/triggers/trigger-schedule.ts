import { serviceCaller } from '@wp/events'
import { nextCronRun } from '@wp/jobs'
import type { Schedule } from '@wp/jobs/background'
import type { PassResult } from '@wp/runtime'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import {
  listDueTriggers,
  lockDueTrigger,
  setNextRun,
  type TriggerKey,
  triggerScheduleQueue,
} from '../store/triggers/occasions.ts'
import { startTriggeredRun } from './start-triggered-run.ts'

type Options = Pick<Context, 'log' | 'now'> & { database: Context['database']['background'] }

/** Longest pause, in case a wake is missed, and the triggers of one pass. */
const [pollMs, batchSize] = [15_000, 100]
/** Pause after a pass with due triggers: some may have failed to start, and others are due again soon. */
const retryMs = 1_000

/**
 * Returns the schedule that starts the runs of triggers that are due. One transaction starts the run and sets the next
 * time, so that a run is neither started twice by two replicas nor lost in a crash.
 */
export function triggerSchedule({ database, log, now }: Options): Schedule {
  async function pass(signal: AbortSignal): Promise<PassResult> {
    const startedAt = now()
    const upcoming = await listDueTriggers(database.worker, new Date(startedAt + pollMs), batchSize)
    const due = upcoming.filter(({ nextRunAt }) => nextRunAt.getTime() <= startedAt)
    let started = 0
    for (const key of due) {
      if (signal.aborted) return 'idle'
      const { workspaceId, id } = key
      const caller = serviceCaller('ai', { shard: database.shard, workspaceId, requestId: id })
      try {
        if (await database.transact(caller, (tx) => runDueTrigger(tx, key, new Date(now())))) started += 1
      } catch (error) {
        // One failure does not delay the triggers of others.
        log.error({ err: error, trigger: id, event: 'trigger.start_failed' }, 'failed to start the run of a trigger')
      }
    }
    if (due.length > 0) return due.length === batchSize && started > 0 ? 'more' : retryMs
    return upcoming[0] === undefined ? 'idle' : upcoming[0].nextRunAt.getTime() - startedAt
  }
  return { name: 'schedule of triggers', everyMs: pollMs, wakeQueue: triggerScheduleQueue, pass }
}

/** @returns false if another replica has taken it */
async function runDueTrigger(tx: Tx, key: TriggerKey, at: Date): Promise<boolean> {
  const trigger = await lockDueTrigger(tx.query, key, at)
  if (trigger === undefined) return false
  const { on } = trigger
  await setNextRun(tx.query, key, 'schedule' in on ? nextCronRun(on.schedule, on.timezone, at) : null)
  await startTriggeredRun(tx, trigger, { at, depth: 0 })
  return true
}
