import type { Caller, JobError } from '@wp/contracts'
import type { Database, Log, Transaction } from '@wp/database'
import { type Backoff, backoffMs, isInfrastructureError, serviceCaller } from '@wp/events'
import { createControl, type JobControl } from './control.ts'
import { callerRevoked, isTriedAgain, JobFailure, leaseLost, toJobError } from './failure.ts'
import type { Held, Settlement } from './held.ts'
import { type InterruptionReason, JobInterrupted } from './interruption.ts'
import type { Job } from './job.ts'
import { handBack } from './leases.ts'
import { LeaseLost, requireLease, writeFailed, writeRetry } from './outcomes.ts'

export interface AttemptOptions<Client> {
  database: Database<Client>
  service: string
  handle: (job: Job, control: JobControl<Client>) => Promise<void>
  resolveCaller?: ((caller: Caller) => Promise<Caller | null>) | undefined
  onFailed?: ((tx: Transaction<Client>, job: Job) => Promise<void>) | undefined
  maxAttempts: number
  /** After so many lost leases without a checkpoint between them a job fails; and after so many at all. */
  maxLostLeases: { inVain: number; inAll: number }
  /** Pauses between attempts, and before a job that the infrastructure failed is taken up again. */
  backoff: Backoff
  log: Log
}

export type Outcome = Settlement | InterruptionReason

/**
 * One attempt at a job, from the lease to what comes of it. Never throws: where nothing can be written, the lease runs
 * out and another runner takes over.
 */
export async function attempt<Client>(options: AttemptOptions<Client>, held: Held, look: () => void): Promise<Outcome> {
  const { database, service, handle, onFailed, maxAttempts, backoff, log } = options
  const { job } = held
  const scope = { shard: database.shard, workspaceId: job.workspaceId === '' ? null : job.workspaceId }
  const asService = serviceCaller(service, { ...scope, requestId: job.id })
  const asker: Caller = job.caller === null ? asService : { ...job.caller, workspaceId: scope.workspaceId }

  async function fail(error: JobError): Promise<void> {
    const settled = await database.transact(asker, async (tx) => {
      await requireLease(tx.query, held)
      if (isTriedAgain(error, job.failures, maxAttempts)) {
        await writeRetry(tx.query, held, backoffMs(job.failures + 1, backoff, Math.random()))
        return 'retried'
      }
      const failed = await writeFailed(tx.query, held, error)
      await onFailed?.(tx, failed)
      return 'failed'
    })
    held.settled = settled
    log.warn({ job: job.id, queue: job.queue, code: error.code, outcome: settled }, 'a job failed')
  }

  async function work(): Promise<void> {
    const { inVain, inAll } = options.maxLostLeases
    if (job.lostInVain >= inVain || job.lostLeases >= inAll) return await fail(leaseLost)
    const caller = await currentCaller()
    if (caller === null) return await fail(callerRevoked)
    const control = createControl({ database, held, caller, fail, look, log })
    await handle(job, control)
    if (held.settled !== undefined) return
    held.signal.throwIfAborted()
    await control.finish()
  }

  async function currentCaller(): Promise<Caller | null> {
    if (job.caller === null || options.resolveCaller === undefined) return asker
    const caller = await options.resolveCaller(asker)
    return caller === null ? null : { ...caller, workspaceId: scope.workspaceId }
  }

  /** What follows from an error of the handler. */
  async function settle(error: unknown): Promise<Outcome> {
    if (held.settled !== undefined) {
      if (!(error instanceof JobInterrupted))
        log.error({ err: error, job: job.id, queue: job.queue }, 'a handler failed after its job had ended')
      return held.settled
    }
    const reason = reasonOf(held.signal)
    if (reason === 'cancelled' || reason === 'lease_lost') return reason
    // The lease is gone, and the heartbeat has not said so yet.
    if (error instanceof LeaseLost) return 'lease_lost'
    if (reason === 'shutdown') return await giveBack(0)
    // A failure was judged by who knows it: what was away may be another's server.
    if (!(error instanceof JobFailure) && isInfrastructureError(error)) {
      log.warn({ err: error, job: job.id, queue: job.queue }, 'what a job needs is away; it is given back')
      return await giveBack(backoffMs(1, backoff, Math.random()))
    }
    log.error({ err: error, job: job.id, queue: job.queue, failures: job.failures }, 'a job could not be done')
    await fail(toJobError(error))
    return held.settled ?? 'failed'
  }

  async function giveBack(delayMs: number): Promise<Outcome> {
    const kept = await handBack(database.worker, held, delayMs)
    return kept ? 'handed_back' : 'lease_lost'
  }

  try {
    await work()
    return held.settled ?? 'finished'
  } catch (error) {
    try {
      return await settle(error)
    } catch (second) {
      log.error({ err: second, job: job.id, queue: job.queue }, 'what came of a job could not be written')
      return 'lease_lost'
    }
  }
}

function reasonOf(signal: AbortSignal): InterruptionReason | undefined {
  // Held aborts with nothing else.
  return signal.aborted ? (signal.reason as JobInterrupted).reason : undefined
}
