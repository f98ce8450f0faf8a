import { isInfrastructureError } from '@wp/events'
import type { Logger } from '@wp/service'
import type { EndedAttempt } from '../store/deliveries/ended-attempt.ts'

export interface AttemptRecorder {
  /** Resolves when the end of the attempt is written down, or given up. */
  record(ended: EndedAttempt): Promise<void>
}

interface Options {
  /** Writes several together, all or none. */
  write(batch: readonly EndedAttempt[]): Promise<ReadonlySet<string>>
  /** How many are written together at most. */
  batchSize?: number
  /** Aborted when the process is about to end: what cannot be written then is given up. */
  signal: AbortSignal
  log: Logger
}

interface QueuedAttempt {
  ended: EndedAttempt
  done: () => void
}

const initialBackoffMs = 100
const maxBackoffMs = 2_000

/**
 * Writes the ends of attempts, those that come while a write is under way together in the next one: nothing waits for
 * a timer, and under load a transaction carries many.
 *
 * While the database is away it keeps trying: what was sent must not be sent again for want of a note about it. One
 * that cannot be written for another reason does not take the others with it; its lease will end.
 */
export function createAttemptRecorder({ write, batchSize = 200, signal, log }: Options): AttemptRecorder {
  let queue: QueuedAttempt[] = []
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
    for (let backoffMs = initialBackoffMs; ; backoffMs = Math.min(backoffMs * 2, maxBackoffMs)) {
      try {
        return warnAboutLostLeases(batch, await write(batch))
      } catch (error) {
        if (!isInfrastructureError(error)) return await writeOneByOne(batch, error)
        if (signal.aborted) return giveUp(batch, error)
        log.warn({ err: error, attempts: batch.length, backoffMs }, 'attempts could not be written down yet')
        await new Promise((resolve) => setTimeout(resolve, backoffMs))
      }
    }
  }

  async function writeOneByOne(batch: readonly EndedAttempt[], error: unknown): Promise<void> {
    if (batch.length > 1) for (const ended of batch) await writeBatch([ended])
    else giveUp(batch, error)
  }

  function giveUp(batch: readonly EndedAttempt[], error: unknown): void {
    const requestIds = batch.map(({ claimed }) => claimed.requestId)
    log.error({ err: error, request_ids: requestIds }, 'attempts could not be written down')
  }

  function warnAboutLostLeases(batch: readonly EndedAttempt[], written: ReadonlySet<string>): void {
    for (const { claimed } of batch)
      if (!written.has(claimed.requestId))
        log.warn(
          { request_id: claimed.requestId, attempt: claimed.number },
          'an attempt ended after its lease was lost',
        )
  }

  return {
    record: (ended) =>
      new Promise((done) => {
        queue.push({ ended, done })
        if (!isWriting) void drain()
      }),
  }
}
