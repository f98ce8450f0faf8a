import type { Caller, JobError } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import type { Log } from '@wp/runtime'
import type { Checkpoint } from '../queue/job-transitions.ts'
import { requireLease, writeCheckpoint, writeFinished, writeSuspended } from '../queue/job-transitions.ts'
import { requeue, writeProgress } from '../queue/leases.ts'
import type { ActiveLease } from './active-lease.ts'

/** Interface of a handler to its job. Every write requires the lease, so a handler that lost it changes nothing. */
export interface JobControl<Client = unknown> {
  /** Aborted with a JobInterrupted when the handler must end: job cancelled, lease lost, or shutdown. */
  readonly signal: AbortSignal
  /** Caller who started the job, with its current scopes; the service for a scheduled job. */
  readonly caller: Caller
  /** Writes the progress, 0 to 1, and intermediate details. Never throws; a lost lease aborts the signal. */
  progress(fraction: number, detail?: Record<string, unknown>): Promise<void>
  /**
   * Writes part of the work and a checkpoint in one transaction; a later attempt continues from `job.detail`. Leases
   * lost before a checkpoint no longer count towards the poison-job limit.
   *
   * @throws LeaseLost if nothing was written
   */
  checkpoint(work: (tx: Transaction<Client>) => Promise<Checkpoint>): Promise<void>
  /**
   * Finishes the job: writes the effects of `work`, its return value as the result, and its events in one transaction.
   *
   * @throws LeaseLost if nothing was written
   */
  finish(work?: (tx: Transaction<Client>) => Promise<unknown>): Promise<void>
  /** Fails the attempt. A retryable error is retried while the runner has attempts left. @throws LeaseLost */
  fail(error: JobError): Promise<void>
  /** Returns the job to the queue without counting an attempt; it is due again after the delay. */
  requeue(delayMs?: number): Promise<void>
  /**
   * Writes part of the work and returns the job to the queue in one transaction, without counting an attempt. The job
   * holds no slot until it is resumed with `resumeJob`; it is due at the latest after the delay.
   *
   * @throws LeaseLost if nothing was written
   */
  suspend(delayMs: number, work: (tx: Transaction<Client>) => Promise<void>): Promise<void>
}

export interface ControlOptions<Client> {
  database: Database<Client>
  lease: ActiveLease
  caller: Caller
  fail: (error: JobError) => Promise<unknown>
  /** Requests a heartbeat, which finds out why the lease is gone and aborts the signal. */
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
        log.warn(
          { event: 'job.progress_not_written', err: error, job: lease.job.id },
          'failed to write the progress of a job',
        )
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
    async fail(error) {
      await fail(error)
    },
    async requeue(delayMs = 0) {
      if (await requeue(database.worker, lease, delayMs)) lease.result = 'handed_back'
      else checkLease()
    },
    async suspend(delayMs, work) {
      await transactWithLease(async (tx) => {
        await work(tx)
        await writeSuspended(tx.query, lease, delayMs)
      })
      lease.result = 'handed_back'
    },
  }
}
