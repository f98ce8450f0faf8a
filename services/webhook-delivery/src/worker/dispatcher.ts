import { createLoop, type Worker } from '@wp/runtime'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { computeClaimBudget } from '../delivery/claim-budget.ts'
import { classifyAttempt } from '../delivery/classify-attempt.ts'
import { computeNextState } from '../delivery/next-state.ts'
import { type ClaimedDelivery, claimDueDeliveries, findMsUntilReady } from '../store/deliveries/claim.ts'
import { deliveryQueue } from '../store/deliveries/enqueue.ts'
import { recordAttempts } from '../store/deliveries/record-attempts.ts'
import { disableOnGone } from '../subscriptions/disable.ts'
import { createAttemptRecorder } from './attempt-recorder.ts'
import { type SentAttempt, sendAttempt } from './send-attempt.ts'

/** A ready endpoint that could not be claimed just now is looked at again after this. */
const minPauseMs = 20
const pollMs = 1_000

/** What one claim takes at most: enough to be worth its transaction, and the first may have ended when the next comes. */
const maxClaimSize = 200

/** With so many under way a claim waits a moment for ends to gather; nobody idle waits for it. */
const batchingThreshold = 64
const batchingDelayMs = 5

/** Attempts begun in a row, before answers are looked at. */
const startBatchSize = 16

/** Others who have to see to what follows from an attempt. */
interface WakeHandlers {
  pendingActions(): void
  orderedDelivery(): void
}

/** Claims what is due, sends it, writes down how it went. Any number of them share the work. */
export function createDispatcher(context: Context, wake: WakeHandlers): Worker {
  const { database, bus, log, metrics, now, random, settings } = context
  const { concurrency, leaseSeconds, retrySchedule, holdSchedule } = settings
  const loop = createLoop({ name: 'delivery of webhooks', pass, pollMs, log })
  const inFlight = new Map<Promise<void>, ClaimedDelivery>()
  const stopping = new AbortController()
  const recorder = createAttemptRecorder({
    async write(batch) {
      for (const { claimed, result } of batch)
        if (result.outcome === 'failed' && result.action === 'disable') await disableOnGone(context, claimed)
      const { written, hasPendingActions, isBlocked } = await recordAttempts(database.worker, batch, holdSchedule)
      if (hasPendingActions) wake.pendingActions()
      if (isBlocked) wake.orderedDelivery()
      return written
    },
    signal: stopping.signal,
    log,
  })
  let unsubscribeWake = () => {}
  let wakeTimer: NodeJS.Timeout | undefined

  async function pass(): Promise<'more' | 'idle'> {
    clearTimeout(wakeTimer)
    if (inFlight.size >= batchingThreshold) await pause(batchingDelayMs)
    const free = Math.min(concurrency - inFlight.size, maxClaimSize)
    // The end of an attempt wakes.
    if (free <= 0) return 'idle'
    const budget = computeClaimBudget({ free, concurrency, failing: countFailing() })
    const claimed = await claimDueDeliveries(database.worker, { ...budget, leaseToken: randomUUID(), leaseSeconds })
    await startAttempts(claimed)
    if (claimed.length > 0) return 'more'
    if (budget.includesFailing) await scheduleRetryWake()
    return 'idle'
  }

  const countFailing = () => [...inFlight.values()].filter((claimed) => claimed.isEndpointFailing).length

  /** For a retry that is due before the poll would find it. */
  async function scheduleRetryWake(): Promise<void> {
    const ms = await findMsUntilReady(database.worker)
    if (ms !== undefined && ms < pollMs) wakeTimer = setTimeout(loop.wake, Math.max(ms, minPauseMs))
  }

  /** In small steps: what has been answered meanwhile gives its connection to the next. */
  async function startAttempts(claimed: readonly ClaimedDelivery[]): Promise<void> {
    for (const [index, delivery] of claimed.entries()) {
      if (index > 0 && index % startBatchSize === 0) await setImmediate()
      startAttempt(delivery)
    }
  }

  function startAttempt(claimed: ClaimedDelivery): void {
    const work = deliver(claimed)
      .catch((error: unknown) => log.error({ err: error, request_id: claimed.requestId }, 'a delivery went wrong'))
      .finally(() => {
        inFlight.delete(work)
        metrics.gauge('webhook_attempts_in_flight', inFlight.size)
        loop.wake()
      })
    inFlight.set(work, claimed)
    metrics.gauge('webhook_attempts_in_flight', inFlight.size)
  }

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const sent = await sendAttempt(context, claimed)
    // We gave it up ourselves, at shutdown: the lease will end.
    if (sent.response.errorKind === 'aborted') return
    const nowMs = now()
    const result = classifyAttempt(sent.response, nowMs)
    const progress = { retriesUsed: claimed.retriesUsed, throttledAtMs: claimed.throttledAt?.getTime() ?? null }
    const nextState = computeNextState(progress, result, { schedule: retrySchedule, nowMs, random: random() })
    recordMetrics(claimed, sent, result.outcome)
    await recorder.record({ claimed, result, nextState, attempt: sent.attempt })
  }

  function recordMetrics(claimed: ClaimedDelivery, { attempt }: SentAttempt, outcome: string): void {
    metrics.count('webhook_attempts_total', { outcome, error_kind: attempt.errorKind ?? 'none' })
    if (claimed.number > 1 || claimed.origin !== 'event') return
    const { dns_ms, connect_ms, tls_ms } = attempt.timings
    const hitMs = attempt.startedAt.getTime() + (dns_ms ?? 0) + (connect_ms ?? 0) + (tls_ms ?? 0)
    metrics.observe('webhook_event_to_hit_seconds', Math.max(0, hitMs - claimed.occurredAt.getTime()) / 1000)
  }

  return {
    name: loop.name,
    async start() {
      unsubscribeWake = bus.onWake('webhook-delivery', deliveryQueue, loop.wake)
      await loop.start()
    },
    async stop() {
      unsubscribeWake()
      stopping.abort()
      await loop.stop()
      clearTimeout(wakeTimer)
      await Promise.all(inFlight.keys())
    },
  }
}
