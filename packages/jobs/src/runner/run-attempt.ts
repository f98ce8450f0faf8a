import type { Caller, JobError } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import { isInfrastructureError, serviceCaller } from '@wp/events'
import { type Backoff, backoffMs, type Log } from '@wp/runtime'
import type { Job } from '../queue/job.ts'
import { LeaseLost, requireLease, writeFailed, writeRetry } from '../queue/job-transitions.ts'
import { requeue } from '../queue/leases.ts'
import type { ActiveLease, AttemptResult } from './active-lease.ts'
import { callerRevokedError, JobFailure, leaseLostError, shouldRetry, toJobError } from './failure.ts'
import { type InterruptionReason, JobInterrupted } from './interruption.ts'
import { createControl, type JobControl } from './job-control.ts'

export interface AttemptOptions<Client> {
  database: Database<Client>
  service: string
  handle: (job: Job, control: JobControl<Client>) => Promise<void>
  resolveCaller?: ((caller: Caller) => Promise<Caller | null>) | undefined
  onFailed?: ((tx: Transaction<Client>, job: Job) => Promise<void>) | undefined
  maxAttempts: number
  /** After so many lost leases without a checkpoint between them a job fails; and after so many at all. */
  maxLostLeases: { sinceCheckpoint: number; total: number }
  /** Pauses between attempts, and before a job that the infrastructure failed is taken up again. */
  backoff: Backoff
  log: Log
}

export type AttemptOutcome = AttemptResult | InterruptionReason

/**
 * One attempt at a job, from the lease to what comes of it. Never throws: where nothing can be written, the lease runs
 * out and another runner takes over.
 */
export async function runAttempt<Client>(
  options: AttemptOptions<Client>,
  lease: ActiveLease,
  checkLease: () => void,
): Promise<AttemptOutcome> {
  const { database, service, handle, onFailed, maxAttempts, backoff, log } = options
  const { job } = lease
  const scope = { shard: database.shard, workspaceId: job.workspaceId === '' ? null : job.workspaceId }
  const asService = serviceCaller(service, { ...scope, requestId: job.id })
  const requester: Caller = job.caller === null ? asService : { ...job.caller, workspaceId: scope.workspaceId }

  async function fail(error: JobError): Promise<void> {
    const result = await database.transact(requester, async (tx) => {
      await requireLease(tx.query, lease)
      if (shouldRetry(error, job.failures, maxAttempts)) {
        await writeRetry(tx.query, lease, backoffMs(job.failures + 1, backoff, Math.random()))
        return 'retried'
      }
      const failed = await writeFailed(tx.query, lease, error)
      await onFailed?.(tx, failed)
      return 'failed'
    })
    lease.result = result
    log.warn({ job: job.id, queue: job.queue, code: error.code, outcome: result }, 'a job failed')
  }

  async function work(): Promise<void> {
    const { sinceCheckpoint, total } = options.maxLostLeases
    if (job.lostSinceCheckpoint >= sinceCheckpoint || job.lostLeases >= total) return await fail(leaseLostError)
    const caller = await currentCaller()
    if (caller === null) return await fail(callerRevokedError)
    const control = createControl({ database, lease, caller, fail, checkLease, log })
    await handle(job, control)
    if (lease.result !== undefined) return
    lease.signal.throwIfAborted()
    await control.finish()
  }

  async function currentCaller(): Promise<Caller | null> {
    if (job.caller === null || options.resolveCaller === undefined) return requester
    const caller = await options.resolveCaller(requester)
    return caller === null ? null : { ...caller, workspaceId: scope.workspaceId }
  }

  /** What follows from an error of the handler. */
  async function handleError(error: unknown): Promise<AttemptOutcome> {
    if (lease.result !== undefined) {
      if (!(error instanceof JobInterrupted))
        log.error({ err: error, job: job.id, queue: job.queue }, 'a handler failed after its job had ended')
      return lease.result
    }
    const reason = interruptionReason(lease.signal)
    if (reason === 'cancelled' || reason === 'lease_lost') return reason
    // The lease is gone, and the heartbeat has not said so yet.
    if (error instanceof LeaseLost) return 'lease_lost'
    if (reason === 'shutdown') return await requeueJob(0)
    // A failure was judged by who knows it: what was away may be another's server.
    if (!(error instanceof JobFailure) && isInfrastructureError(error)) {
      log.warn({ err: error, job: job.id, queue: job.queue }, 'what a job needs is away; it is given back')
      return await requeueJob(backoffMs(1, backoff, Math.random()))
    }
    log.error({ err: error, job: job.id, queue: job.queue, failures: job.failures }, 'a job could not be done')
    await fail(toJobError(error))
    return lease.result ?? 'failed'
  }

  async function requeueJob(delayMs: number): Promise<AttemptOutcome> {
    const isRequeued = await requeue(database.worker, lease, delayMs)
    return isRequeued ? 'handed_back' : 'lease_lost'
  }

  try {
    await work()
    return lease.result ?? 'finished'
  } catch (error) {
    try {
      return await handleError(error)
    } catch (second) {
      log.error({ err: second, job: job.id, queue: job.queue }, 'what came of a job could not be written')
      return 'lease_lost'
    }
  }
}

function interruptionReason(signal: AbortSignal): InterruptionReason | undefined {
  // Held aborts with nothing else.
  return signal.aborted ? (signal.reason as JobInterrupted).reason : undefined
}
