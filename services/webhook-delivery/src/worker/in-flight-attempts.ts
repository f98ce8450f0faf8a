import { setImmediate } from 'node:timers/promises'
import type { Metrics } from '@wp/runtime'
import type { Logger } from '@wp/service'
import type { ClaimedDelivery } from '../store/deliveries/claim-rows.ts'

/** Attempts started in a row before the event loop handles responses, which return connections for the next ones. */
const startBatchSize = 16

interface Options {
  /** Makes an attempt and records its result. */
  deliver(claimed: ClaimedDelivery): Promise<void>
  /** Called when an attempt has ended and its slot is free. */
  onEnded(): void
  log: Logger
  metrics: Metrics
}

/** The attempts of a process, from their claim until their results are recorded. */
export interface InFlightAttempts {
  readonly size: number
  deliveries(): ClaimedDelivery[]
  /** Returns the deliveries claimed at least `ms` milliseconds ago. */
  claimedBefore(ms: number): ClaimedDelivery[]
  /**
   * Starts the attempts of claimed deliveries. Resolves when the last has started.
   * @param claimedAtMs `performance.now()` before the claim
   */
  start(claimed: readonly ClaimedDelivery[], claimedAtMs: number): Promise<void>
  /**
   * Counts deliveries whose leases are being written as attempts in flight, until `start` or `release` is called for
   * each of them.
   */
  reserve(deliveries: readonly ClaimedDelivery[]): void
  /** Frees the slots of reserved deliveries that are not started. */
  release(deliveries: readonly ClaimedDelivery[]): void
  /** Resolves when no attempt is in flight or reserved. */
  untilEnded(): Promise<void>
}

export function createInFlightAttempts({ deliver, onEnded, log, metrics }: Options): InFlightAttempts {
  /** With the times of their claims, as of `performance.now()`. */
  const attempts = new Map<ClaimedDelivery, number>()
  let onIdle = () => {}
  const updateGauge = () => metrics.gauge('webhook_attempts_in_flight', attempts.size)

  function startOne(claimed: ClaimedDelivery): Promise<void> {
    return deliver(claimed)
      .catch((error: unknown) => {
        log.error(
          { event: 'attempt.failed', err: error, request_id: claimed.requestId },
          'failed to make or record an attempt',
        )
      })
      .finally(() => release([claimed]))
  }

  function release(deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) attempts.delete(delivery)
    updateGauge()
    if (deliveries.length > 0) onEnded()
    if (attempts.size === 0) onIdle()
  }

  return {
    get size() {
      return attempts.size
    },
    deliveries: () => [...attempts.keys()],
    claimedBefore(ms) {
      const limitMs = performance.now() - ms
      return [...attempts].filter(([, claimedAtMs]) => claimedAtMs <= limitMs).map(([claimed]) => claimed)
    },
    async start(claimed, claimedAtMs) {
      for (const delivery of claimed) attempts.set(delivery, claimedAtMs)
      updateGauge()
      for (const [index, delivery] of claimed.entries()) {
        if (index > 0 && index % startBatchSize === 0) await setImmediate()
        void startOne(delivery)
      }
    },
    reserve(deliveries) {
      for (const delivery of deliveries) attempts.set(delivery, performance.now())
    },
    release,
    async untilEnded() {
      const { promise, resolve } = Promise.withResolvers<void>()
      onIdle = resolve
      if (attempts.size > 0) await promise
    },
  }
}
