import { serviceCaller } from '@wp/events'
import { nextCronRun } from '@wp/jobs'
import type { Schedule } from '@wp/jobs/background'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { listDueTriggers, lockDueTrigger, setNextRun, type TriggerKey } from '../store/triggers/occasions.ts'
import { startTriggeredRun } from './start-triggered-run.ts'

type Options = Pick<Context, 'log' | 'now'> & { database: Context['database']['background'] }

/** Longest delay of a due run, and the triggers of one pass. */
const [pollMs, batchSize] = [1_000, 100]

/**
 * Returns the schedule that starts the runs of triggers that are due. One transaction starts the run and sets the next
 * time, so that a run is neither started twice by two replicas nor lost in a crash.
 */
export function triggerSchedule({ database, log, now }: Options): Schedule {
  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    const due = await listDueTriggers(database.worker, new Date(now()), batchSize)
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
    return due.length === batchSize && started > 0 ? 'more' : 'idle'
  }
  return { name: 'schedule of triggers', everyMs: pollMs, pass }
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
