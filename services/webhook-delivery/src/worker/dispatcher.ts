import { createLoop, pause, type Worker } from '@wp/runtime'
import type { Context } from '../context.ts'
import type { EndedAttempt } from '../delivery/attempt/ended-attempt.ts'
import { createClaimPolicy } from '../delivery/claim-policy.ts'
import { isGone } from '../delivery/endpoint-update.ts'
import { claimDueDeliveries } from '../store/deliveries/claim.ts'
import { findMsUntilReady } from '../store/deliveries/ready-endpoints.ts'
import { deliveryQueue } from '../store/endpoints/due-marks.ts'
import { disableOnGone } from '../subscriptions/disable.ts'
import { attemptDelivery } from './attempt/attempt-delivery.ts'
import { type AttemptRecorder, createAttemptRecorder } from './attempt/attempt-recorder.ts'
import { createInFlightAttempts } from './in-flight-attempts.ts'
import { createLeaseRenewal } from './lease-renewal.ts'
import { createLiveness } from './liveness.ts'
import { recordAttempts } from './record-attempts.ts'

/** Pause after which a ready endpoint that could not be claimed, or one that was held, is tried again. */
const minPauseMs = 20

/** Limit of one claim: large enough to be worth a transaction, small enough to start while the first attempts end. */
const maxClaimSize = 200

/** With so many attempts in flight a claim waits briefly, so that it serves several ended attempts at once. */
const batchingThreshold = 64
const batchingDelayMs = 5

/** Workers that continue after the attempts of an endpoint. */
export interface WakeHandlers {
  pendingActions(): void
  orderedDelivery(): void
}

/** Creates the worker that claims due deliveries, sends them and records the results. Replicas share the work. */
export function createDispatcher(context: Context, wake: WakeHandlers): Worker {
  const { database, bus, log, metrics, settings } = context
  const { concurrency, leaseSeconds, pollMs } = settings
  const stopping = new AbortController()
  const loop = createLoop({ name: 'webhook dispatcher', pass, pollMs, log })
  /** True if a pass follows the one in progress at once. */
  let isWoken = false
  const wakeDispatcher = () => {
    isWoken = true
    loop.wake()
  }
  const recorder = createRecorder(context, { ...wake, dispatcher: wakeDispatcher }, stopping.signal)
  /**
   * An ended attempt may let the next claim take more: true during a claim, and after one that its limits cut short.
   */
  let isLimited = true
  const inFlight = createInFlightAttempts({
    async deliver(claimed) {
      const ended = await attemptDelivery(context, claimed)
      if (ended !== undefined) await recorder.record(ended)
    },
    onEnded() {
      if (isLimited) wakeDispatcher()
    },
    log,
    metrics,
  })
  const leaseRenewal = createLeaseRenewal(context, inFlight)
  const liveness = createLiveness(context, wakeDispatcher)
  let unsubscribeWake = () => {}
  let wakeTimer: NodeJS.Timeout | undefined

  async function pass(): Promise<'more' | 'idle'> {
    clearTimeout(wakeTimer)
    isWoken = false
    isLimited = true
    if (inFlight.size >= batchingThreshold) await pause(batchingDelayMs)
    if (inFlight.size >= concurrency) return 'idle'
    const claimedAtMs = performance.now()
    const policy = createClaimPolicy(inFlight.deliveries(), { concurrency, maxClaimSize })
    const claim = await claimDueDeliveries(database.worker, {
      policy,
      leaseToken: liveness.newLeaseToken(),
      leaseSeconds,
    })
    await inFlight.start(claim.claimed, claimedAtMs)
    // The record of an attempt may be what held the endpoints.
    isLimited = claim.isLimited || claim.hasHeldEndpoints
    if (claim.hasMore || isWoken) return 'more'
    if (claim.hasHeldEndpoints) wakeTimer = setTimeout(wakeDispatcher, minPauseMs)
    else await scheduleWake({ includesReady: !claim.isLimited })
    return 'idle'
  }

  /** Wakes the loop for a delivery that is due before the next poll. */
  async function scheduleWake(filter: { includesReady: boolean }): Promise<void> {
    const ms = await findMsUntilReady(database.worker, filter)
    if (ms !== undefined && ms < pollMs) wakeTimer = setTimeout(wakeDispatcher, Math.max(ms, minPauseMs))
  }

  return {
    name: loop.name,
    async start() {
      unsubscribeWake = bus.onWake('webhook-delivery', deliveryQueue, wakeDispatcher)
      await liveness.start()
      await leaseRenewal.start()
      await loop.start()
    },
    async stop() {
      unsubscribeWake()
      stopping.abort()
      await loop.stop()
      clearTimeout(wakeTimer)
      await inFlight.untilEnded()
      await leaseRenewal.stop()
      await liveness.stop()
    },
  }
}

function createRecorder(
  context: Context,
  wake: WakeHandlers & { dispatcher(): void },
  signal: AbortSignal,
): AttemptRecorder {
  const { database, log, settings } = context
  return createAttemptRecorder({
    async write(batch: readonly EndedAttempt[]) {
      for (const ended of batch) if (isGone(ended)) await disableOnGone(context, ended.claimed)
      const { written, hasPendingActions, needsClaim, isBlocked } = await recordAttempts(
        database.worker,
        batch,
        settings.holdSchedule,
      )
      if (needsClaim || written.size < batch.length) wake.dispatcher()
      if (hasPendingActions) wake.pendingActions()
      if (isBlocked) wake.orderedDelivery()
      return written
    },
    signal,
    log,
  })
}
