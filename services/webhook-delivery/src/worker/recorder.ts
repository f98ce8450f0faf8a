import { workerQuery } from '@wp/database'
import { isInfrastructureError } from '@wp/events'
import type { Context } from '../context.ts'
import { isGone } from '../delivery/endpoint-update.ts'
import type { EndedAttempt } from '../delivery/next-state.ts'
import { disableOnGone } from '../subscriptions/disable.ts'
import { type AttemptRecorder, createAttemptRecorder } from './attempt/attempt-recorder.ts'
import { type CountResult, countAttempts, recordAttempts, recordSuccesses } from './record-attempts.ts'

/** Longest time until a success is counted at its endpoint, unless the database is unavailable. */
const countDelayMs = 250
/** Recorded successes that are counted at once. */
const maxUncounted = 200

/** Workers that continue after the attempts of an endpoint. */
export interface WakeHandlers {
  dispatcher(): void
  pendingActions(): void
  orderedDelivery(): void
}

/**
 * Creates the recorder of ended attempts. What matters for the deliveries is written at once. The successes of new
 * deliveries, which change nothing at endpoints without failures, are counted there a few times a second, together: a
 * process that is killed loses the counts of its last quarter of a second, in statistics and for billing, and no
 * delivery. The results of an endpoint are counted in the order in which they were recorded. Longer than most
 * functions: its steps share the counts.
 *
 * @param signal aborted at shutdown
 */
export function createRecorder(
  context: Context,
  wake: WakeHandlers,
  signal: AbortSignal,
): AttemptRecorder & { stop(): Promise<void> } {
  const { database, log, settings } = context
  const { holdSchedule } = settings
  let uncounted: EndedAttempt[] = []
  let timer: NodeJS.Timeout | undefined
  let counting = Promise.resolve()

  async function write(batch: readonly EndedAttempt[]): Promise<ReadonlySet<string>> {
    for (const ended of batch) if (isGone(ended)) await disableOnGone(context, ended.claimed)
    await counting
    const written = batch.every(isNewSuccess) ? await writeSuccesses(batch) : await writeAll(batch)
    if (written.size < batch.length) wake.dispatcher()
    return written
  }

  async function writeSuccesses(batch: readonly EndedAttempt[]): Promise<ReadonlySet<string>> {
    const { written, urgent } = await recordSuccesses(workerQuery(database.extraPools.records), batch)
    uncounted.push(...batch.filter(({ claimed }) => written.has(claimed.requestId)))
    if (urgent.size > 0 || uncounted.length >= maxUncounted) startCounting()
    else timer ??= setTimeout(startCounting, countDelayMs)
    return written
  }

  async function writeAll(batch: readonly EndedAttempt[]): Promise<ReadonlySet<string>> {
    const webhookIds = new Set(batch.map(({ claimed }) => claimed.webhookId))
    const isTaken = ({ claimed }: EndedAttempt) => webhookIds.has(claimed.webhookId)
    const taken = uncounted.filter(isTaken)
    uncounted = uncounted.filter((ended) => !isTaken(ended))
    try {
      const result = await recordAttempts(database.worker, batch, holdSchedule, taken)
      wakeFollowers(result)
      return result.written
    } catch (error) {
      uncounted = [...taken, ...uncounted]
      throw error
    }
  }

  function startCounting(): void {
    clearTimeout(timer)
    timer = undefined
    counting = counting.then(count)
  }

  async function count(): Promise<void> {
    const recorded = uncounted
    uncounted = []
    if (recorded.length === 0) return
    try {
      wakeFollowers(await countAttempts(database.worker, recorded, holdSchedule))
    } catch (error) {
      const attempts = recorded.length
      if (!isInfrastructureError(error)) {
        log.error({ event: 'attempts.counting_failed', err: error, attempts }, 'failed to count recorded attempts')
        return
      }
      log.warn({ event: 'attempts.counting_delayed', err: error, attempts }, 'failed to count attempts; retrying')
      uncounted = [...recorded, ...uncounted]
      if (!signal.aborted) timer ??= setTimeout(startCounting, countDelayMs)
    }
  }

  function wakeFollowers({ needsClaim, hasPendingActions, isBlocked }: CountResult): void {
    if (needsClaim) wake.dispatcher()
    if (hasPendingActions) wake.pendingActions()
    if (isBlocked) wake.orderedDelivery()
  }

  function flush(): Promise<void> {
    if (uncounted.length > 0) startCounting()
    return counting
  }

  context.attemptCounts.connect(flush)
  return { record: createAttemptRecorder({ write, signal, log }).record, stop: flush }
}

const isNewSuccess = ({ claimed, result }: EndedAttempt): boolean =>
  claimed.isNew === true && result.outcome === 'delivered'
