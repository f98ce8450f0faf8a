import type { Context } from '../context.ts'
import type { EndedAttempt } from '../delivery/next-state.ts'
import { findLeased } from '../store/deliveries/leases.ts'
import { findDeadWorkers } from '../store/deliveries/workers.ts'
import { findJournals, readJournal, removeJournal } from './attempt/attempt-journal.ts'
import type { AttemptRecorder } from './attempt/attempt-recorder.ts'

type RecoveryContext = Pick<Context, 'database' | 'log' | 'settings'>

/**
 * Records the attempts that killed processes had ended and not recorded, so that their deliveries are not sent again.
 * Their journals must be in the folder of this process, as after the restart of a container.
 */
export async function recoverAttempts(context: RecoveryContext, recorder: AttemptRecorder): Promise<void> {
  const { database, log, settings } = context
  const workerIds = await findJournals(settings.journalFolder)
  const dead = workerIds.length === 0 ? [] : await findDeadWorkers(database.worker, workerIds)
  for (const name of dead.map(String)) {
    const ended = read(context, name)
    const leased = await findLeased(
      database.worker,
      ended.map(({ claimed }) => claimed),
    )
    const unrecorded = ended.filter(({ claimed }) => leased.has(claimed.requestId))
    await Promise.all(unrecorded.map(recorder.record))
    removeJournal(settings.journalFolder, name)
    log.warn({ event: 'attempts.recovered', attempts: unrecorded.length }, 'recorded the attempts of a killed process')
  }
}

function read({ log, settings }: RecoveryContext, name: string): EndedAttempt[] {
  try {
    return readJournal(settings.journalFolder, name)
  } catch (error) {
    log.warn({ event: 'attempt_journal.unreadable', err: error, name }, 'failed to read a journal of attempts')
    return []
  }
}
