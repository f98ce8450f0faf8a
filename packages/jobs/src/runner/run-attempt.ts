import type { Caller, JobError } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import { isInfrastructureError, serviceCaller } from '@wp/events'
import { type Backoff, backoffMs, type Log, type Span } from '@wp/runtime'
import type { Job } from '../queue/job.ts'
import { LeaseLost, requireLease, writeFailed, writeRetry } from '../queue/job-transitions.ts'
import { handBack, requeue } from '../queue/leases.ts'
import type { ActiveLease, AttemptResult } from './active-lease.ts'
import { type InterruptionReason, interruptionReason, JobInterrupted } from './active-lease.ts'
import { callerRevokedError, isUserFailure, JobFailure, leaseLostError, shouldRetry, toJobError } from './failure.ts'
import { createControl, type JobControl } from './job-control.ts'

export interface AttemptOptions<Client> {
  database: Database<Client>
  service: string
  handle: (job: Job, control: JobControl<Client>) => Promise<void>
  resolveCaller?: ((caller: Caller) => Promise<Caller | null>) | undefined
  onFailed?: ((tx: Transaction<Client>, job: Job) => Promise<void>) | undefined
  maxAttempts: number
  /** Poison-job limit: a job fails after this many leases lost without a checkpoint, or lost in total. */
  maxLostLeases: { sinceCheckpoint: number; total: number }
  /** Pauses between attempts, and before a job is retried after an infrastructure failure. */
  backoff: Backoff
  log: Log
}

export type AttemptOutcome = AttemptResult | InterruptionReason

interface Attempt<Client> extends AttemptOptions<Client> {
  lease: ActiveLease
  /** The stored caller of the job; the service for a scheduled job. */
  requester: Caller
  checkLease: () => void
}

/**
 * Runs one attempt of a job, from the lease to the written result. Never throws: if nothing can be written, the lease
 * expires and another runner takes over.
 *
 * @param checkLease requests a heartbeat, which finds out why a write no longer found the lease
 */
export async function runAttempt<Client>(
  options: AttemptOptions<Client>,
  lease: ActiveLease,
  checkLease: () => void,
): Promise<AttemptOutcome> {
  const requester = findRequester(options, lease.job)
  const span = startAttemptSpan(options, lease.job)
  const traced = span === undefined ? requester : { ...requester, traceparent: span.traceparent }
  const outcome = await runWrittenAttempt({ ...options, lease, checkLease, requester: traced })
  span?.setAttributes({ 'wp.job.outcome': outcome })
  span?.end(outcome === 'finished' || outcome === 'handed_back' ? undefined : outcome)
  return outcome
}

/** The span is part of the trace of the request that started the job. */
const startAttemptSpan = <Client>({ database }: AttemptOptions<Client>, job: Job): Span | undefined =>
  database.tracing?.startSpan(`job ${job.queue}`, {
    kind: 'consumer',
    parent: job.caller?.traceparent,
    attributes: { 'wp.job.id': job.id, 'wp.workspace_id': job.workspaceId, 'wp.job.failures': job.failures },
  })

async function runWrittenAttempt<Client>(attempt: Attempt<Client>): Promise<AttemptOutcome> {
  const { lease } = attempt
  try {
    await handleJob(attempt)
    return lease.result ?? 'finished'
  } catch (error) {
    return await resolveError(attempt, error).catch((writeError: unknown) => {
      const { id, queue } = lease.job
      attempt.log.error(
        { event: 'job.result_not_written', err: writeError, job: id, queue },
        'failed to write the result of a job; its lease will expire',
      )
      return 'lease_lost'
    })
  }
}

function findRequester<Client>({ database, service }: AttemptOptions<Client>, job: Job): Caller {
  const workspaceId = job.workspaceId === '' ? null : job.workspaceId
  if (job.caller !== null) return { ...job.caller, workspaceId }
  return serviceCaller(service, { shard: database.shard, workspaceId, requestId: job.id })
}

async function handleJob<Client>(attempt: Attempt<Client>): Promise<void> {
  const { database, lease, requester, checkLease, handle, maxLostLeases, log } = attempt
  const { job } = lease
  const fail = (error: JobError) => failJob(attempt, error)
  if (job.lostSinceCheckpoint >= maxLostLeases.sinceCheckpoint || job.lostLeases >= maxLostLeases.total) {
    await fail(leaseLostError)
    return
  }
  const caller = await resolveCurrentCaller(attempt)
  if (caller === null) {
    await fail(callerRevokedError)
    return
  }
  lease.signal.throwIfAborted()
  const control = createControl({ database, lease, caller, fail, checkLease, log })
  await handle(withTrace(job, requester.traceparent), control)
  if (lease.result !== undefined) return
  lease.signal.throwIfAborted()
  await control.finish()
}

/** The calls and transactions of the handler belong to the span of the attempt. */
const withTrace = (job: Job, traceparent: string | undefined): Job =>
  job.caller === null || traceparent === undefined ? job : { ...job, caller: { ...job.caller, traceparent } }

/** Returns the caller with its current permissions; null if it has none left. */
async function resolveCurrentCaller<Client>(attempt: Attempt<Client>): Promise<Caller | null> {
  const { requester, resolveCaller, lease } = attempt
  if (lease.job.caller === null || resolveCaller === undefined) return requester
  const caller = await resolveCaller(requester)
  return caller === null ? null : { ...caller, workspaceId: requester.workspaceId }
}

/** Writes a failed attempt: the job is retried or fails for good. @throws LeaseLost */
async function failJob<Client>(attempt: Attempt<Client>, error: JobError): Promise<AttemptResult> {
  const { database, lease, requester, onFailed, maxAttempts, backoff, log } = attempt
  const { job } = lease
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
  log.warn({ event: 'job.failed', job: job.id, queue: job.queue, code: error.code, outcome: result }, 'job failed')
  return result
}

/** Ends an attempt whose handler threw. */
async function resolveError<Client>(attempt: Attempt<Client>, error: unknown): Promise<AttemptOutcome> {
  const { lease, backoff, log } = attempt
  const { id, queue, failures } = lease.job
  if (lease.result !== undefined) {
    if (!(error instanceof JobInterrupted))
      log[logLevelOf(error)](
        { event: 'job.handler_failed_late', err: error, job: id, queue },
        'job handler failed after the job ended',
      )
    return lease.result
  }
  const reason = interruptionReason(lease.signal)
  if (reason === 'cancelled' || reason === 'lease_lost') return reason
  // The lease is lost, but the heartbeat has not detected it yet.
  if (error instanceof LeaseLost) return 'lease_lost'
  if (reason !== undefined) return await handBackJob(attempt, reason)
  // A JobFailure is never an infrastructure failure: the handler may report an unavailable server of the user.
  if (!(error instanceof JobFailure) && isInfrastructureError(error)) {
    log.warn({ event: 'job.requeued', err: error, job: id, queue }, 'job requeued: dependency unavailable')
    return await requeueJob(attempt, backoffMs(1, backoff, Math.random()))
  }
  log[logLevelOf(error)]({ event: 'job.handler_failed', err: error, job: id, queue, failures }, 'job handler failed')
  return await failJob(attempt, toJobError(error))
}

/** Errors are for the operator, who cannot correct a failure that the user caused. */
const logLevelOf = (error: unknown) => (isUserFailure(error) ? 'warn' : 'error')

async function handBackJob<Client>({ database, lease }: Attempt<Client>, reason: InterruptionReason) {
  if (!(await handBack(database.worker, lease))) return 'lease_lost'
  return reason === 'shutdown' ? 'handed_back' : reason
}

async function requeueJob<Client>({ database, lease }: Attempt<Client>, delayMs: number): Promise<AttemptOutcome> {
  const isRequeued = await requeue(database.worker, lease, delayMs)
  return isRequeued ? 'handed_back' : 'lease_lost'
}
