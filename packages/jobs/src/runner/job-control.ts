import type { Caller, JobError } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import type { Log } from '@wp/runtime'
import type { Checkpoint } from '../queue/checkpoint.ts'
import { requireLease, writeCheckpoint, writeFinished } from '../queue/job-transitions.ts'
import { requeue, writeProgress } from '../queue/leases.ts'
import type { ActiveLease } from './active-lease.ts'

/** What a handler may do to its job. Every write names the lease, so a late worker changes nothing. */
export interface JobControl<Client = unknown> {
  /** Aborted, with a JobInterrupted, when the work must end: cancelled, lease lost, shutdown. */
  readonly signal: AbortSignal
  /** Who asked, with the scopes they have now; the service itself where nobody did. */
  readonly caller: Caller
  /** Says how far it has come, 0 to 1, and what is known by now. Never throws: the signal tells of a lost lease. */
  progress(fraction: number, detail?: Record<string, unknown>): Promise<void>
  /**
   * Writes part of the work, and how far that brought it, in one transaction: a further try goes on from `job.detail`.
   * A job that has come further does not fail of leases it lost before.
   * @throws LeaseLost with nothing written
   */
  checkpoint(work: (tx: Transaction<Client>) => Promise<Checkpoint>): Promise<void>
  /**
   * Ends the job well: the effects of the work, the result it returns and its events, in one transaction.
   * @throws LeaseLost with nothing written
   */
  finish(work?: (tx: Transaction<Client>) => Promise<unknown>): Promise<void>
  /** Ends the try badly. A retryable error is tried again where the runner has attempts left. @throws LeaseLost */
  fail(error: JobError): Promise<void>
  /** Gives the job back to the queue, uncounted, not to be taken up before the delay. */
  requeue(delayMs?: number): Promise<void>
}

export interface ControlOptions<Client> {
  database: Database<Client>
  lease: ActiveLease
  caller: Caller
  fail: (error: JobError) => Promise<void>
  /** The lease may be gone: looks why, and tells the signal. */
  checkLease: () => void
  log: Log
}

export function createControl<Client>(options: ControlOptions<Client>): JobControl<Client> {
  const { database, lease, caller, fail, checkLease, log } = options
  const transactWithLease = <T>(work: (tx: Transaction<Client>) => Promise<T>): Promise<T> =>
    database.transact(caller, async (tx) => {
      await requireLease(tx.query, lease)
      return work(tx)
    })

  return {
    signal: lease.signal,
    caller,
    async progress(fraction, detail) {
      try {
        const isHeld = await writeProgress(database.worker, lease, Math.min(1, Math.max(0, fraction)), detail)
        if (!isHeld) checkLease()
      } catch (error) {
        log.warn({ err: error, job: lease.job.id }, 'the progress of a job could not be written')
      }
    },
    checkpoint: (work) =>
      transactWithLease(async (tx) => {
        await writeCheckpoint(tx.query, lease, await work(tx))
      }),
    async finish(work) {
      await transactWithLease(async (tx) => {
        await writeFinished(tx.query, lease, await work?.(tx))
      })
      lease.result = 'finished'
    },
    fail,
    async requeue(delayMs = 0) {
      if (await requeue(database.worker, lease, delayMs)) lease.result = 'handed_back'
      else checkLease()
    },
  }
}
