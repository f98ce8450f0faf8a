import { isInfrastructureError } from '@wp/events'
import { backoffMs, pause } from '@wp/runtime'
import type { Logger } from '@wp/service'
import type { EndedAttempt } from '../../delivery/next-state.ts'

export interface AttemptRecorder {
  /** Resolves when the attempt is recorded, or given up. */
  record(ended: EndedAttempt): Promise<void>
}

interface Options {
  /** Writes a batch in one transaction. Returns the request ids written; the others had lost their lease. */
  write(batch: readonly EndedAttempt[]): Promise<ReadonlySet<string>>
  /** Limit of attempts per transaction. */
  batchSize?: number
  /** Aborted at shutdown: an attempt that cannot be recorded then is given up. */
  signal: AbortSignal
  log: Logger
}

const backoff = { firstMs: 100, maxMs: 2_000 }

/**
 * Creates a recorder that writes attempts in batches: those that end during a write are written together by the next
 * one. No attempt waits for a timer, and under load a transaction carries many.
 *
 * It retries while the database is unavailable, because a delivery whose success is not recorded is sent again. If a
 * batch fails for another reason, its attempts are written one by one; the one that fails is given up, and its lease
 * expires.
 */
export function createAttemptRecorder({ write, batchSize = 200, signal, log }: Options): AttemptRecorder {
  let queue: { ended: EndedAttempt; done: () => void }[] = []
  let isWriting = false

  async function drain(): Promise<void> {
    isWriting = true
    while (queue.length > 0) {
      const batch = queue.slice(0, batchSize)
      queue = queue.slice(batch.length)
      await writeBatch(batch.map(({ ended }) => ended))
      for (const { done } of batch) done()
    }
    isWriting = false
  }

  async function writeBatch(batch: readonly EndedAttempt[]): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        return warnAboutLostLeases(log, batch, await write(batch))
      } catch (error) {
        if (!isInfrastructureError(error)) return await writeOneByOne(batch, error)
        if (signal.aborted) return giveUp(log, batch, error)
        const pauseMs = Math.round(backoffMs(failures, backoff, Math.random()))
        log.warn(
          { event: 'attempts.recording_delayed', err: error, attempts: batch.length, pauseMs },
          'failed to record attempts; retrying',
        )
        await pause(pauseMs, signal)
      }
    }
  }

  async function writeOneByOne(batch: readonly EndedAttempt[], error: unknown): Promise<void> {
    if (batch.length > 1) for (const ended of batch) await writeBatch([ended])
    else giveUp(log, batch, error)
  }

  return {
    record: (ended) =>
      new Promise((done) => {
        queue.push({ ended, done })
        if (!isWriting) void drain()
      }),
  }
}

function giveUp(log: Logger, batch: readonly EndedAttempt[], error: unknown): void {
  const requestIds = batch.map(({ claimed }) => claimed.requestId)
  log.error(
    { event: 'attempts.recording_failed', err: error, request_ids: requestIds },
    'failed to record attempts; they will be repeated when their leases expire',
  )
}

function warnAboutLostLeases(log: Logger, batch: readonly EndedAttempt[], written: ReadonlySet<string>): void {
  for (const { claimed } of batch) {
    if (written.has(claimed.requestId)) continue
    log.warn(
      { event: 'attempt.lease_lost', request_id: claimed.requestId, attempt: claimed.attemptCount },
      'attempt ended after its lease was lost',
    )
  }
}
